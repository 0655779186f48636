import { dryRunRule } from '../../api/watched_folders';
import { ApiError, ServerUnreachable, type Violation } from '../../api/errors';
import type { DryRun, WatchedFolder, WatchRule } from '../../api/types';
import { isPublicByDefault } from '../../state/default_visibility';
import { t } from '../../texts';
import { updateFolder, watchFolder } from './folder_actions';
import { templateLines, toTemplate, defaultRule, type TemplateLine } from './rule';

/** Texts that were typed into pickers and chose nothing, by line of the rule. */
type TypedTexts = Partial<Record<'collection' | 'owner', string>>;

interface RuleDraft {
  rule: WatchRule;
  lines: TemplateLine[];
  typed: TypedTexts;
}

/** Unsaved forms by folder id; null: a new folder. */
const drafts = new Map<number | null, RuleDraft>();
/** Milliseconds without changes before a dry run. */
const DRY_RUN_DELAY = 350;

/** The form of a rule with its messages and dry run. */
export class RuleForm {
  rule: WatchRule = $state() as WatchRule;
  lines: TemplateLine[] = $state([]);
  typed: TypedTexts = $state({});
  /** What would become of what is in the folder. Null before anything is known of the rule as it stands. */
  dryRun: DryRun | null = $state.raw(null);
  dryRunning = $state(false);
  saving = $state(false);
  failure: string | null = $state(null);
  /** Typed earlier, and here again. */
  restored = $state(false);
  #violations: Violation[] = $state.raw([]);
  /** Whether the visibility was chosen here, rather than given by the defaults of the collection. */
  #hasVisibility = false;
  #dryRunAbort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly folder: WatchedFolder | null) {
    const before = drafts.get(this.id);
    this.restored = before !== undefined;
    this.reset(before);
  }

  private get id(): number | null {
    return this.folder?.id ?? null;
  }

  /** What is wrong with a line of the rule, in the reader's language. */
  messagesFor(line: string): string[] {
    return this.#violations.filter(({ field }) => field === line).map(({ message }) => message);
  }

  get isInvalid(): boolean {
    return this.#violations.length > 0;
  }

  private reset(from?: RuleDraft): void {
    this.rule = from?.rule ?? { ...defaultRule(), ...this.folder?.rule };
    this.lines = from?.lines ?? templateLines(this.rule.template);
    this.typed = from?.typed ?? {};
    if (this.rule.path !== '') this.scheduleDryRun(0);
  }

  /** Forgets what was typed. */
  discard(): void {
    drafts.delete(this.id);
    this.restored = false;
    this.#violations = [];
    this.dryRun = null;
    this.reset();
  }

  /** Something was changed: it is kept, and looked at again. */
  change(part: Partial<WatchRule> = {}): void {
    this.rule = { ...this.rule, ...part };
    this.store();
    this.scheduleDryRun(DRY_RUN_DELAY);
  }

  /** A new rule takes the visibility that the defaults of the collection say. */
  chooseCollection(collection: number | null): void {
    this.change({ collection });
    if (this.folder || this.#hasVisibility) return;
    isPublicByDefault(collection).then(
      (published) => this.rule.collection === collection && this.change({ published }),
      // Where they cannot be read, the form stays as it is.
      () => {},
    );
  }

  chooseVisibility(published: boolean): void {
    this.#hasVisibility = true;
    this.change({ published });
  }

  /** Something was typed into a picker. */
  type(line: keyof TypedTexts, text: string | null): void {
    this.typed = { ...this.typed, [line]: text ?? undefined };
    this.store();
  }

  private store(): void {
    drafts.set(this.id, { rule: this.rule, lines: this.lines, typed: this.typed });
  }

  /** The rule as it is sent. */
  private toRule(): WatchRule {
    const pattern = this.rule.name_pattern?.trim();
    return {
      ...this.rule,
      path: this.rule.path.trim(),
      name_pattern: pattern ? pattern : null,
      template: toTemplate(this.lines),
    };
  }

  /** Asks what would happen, after a while in which nothing is changed. */
  scheduleDryRun(delay: number): void {
    clearTimeout(this.#timer);
    this.#dryRunAbort?.abort();
    this.dryRunning = false;
    if (this.rule.path.trim() === '') return;
    this.#timer = setTimeout(() => void this.runDryRun(), delay);
  }

  private async runDryRun(): Promise<void> {
    const controller = new AbortController();
    this.#dryRunAbort = controller;
    this.dryRunning = true;
    try {
      this.dryRun = await dryRunRule(this.toRule(), controller.signal);
      this.#violations = [];
      this.failure = null;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.dryRun = null;
      this.showError(error);
    }
    this.dryRunning = false;
  }

  private showError(error: unknown): void {
    this.#violations = error instanceof ApiError ? error.violations : [];
    this.failure = this.#violations.length > 0 ? null : errorText(error);
  }

  /** Saves; the folder as it is watched now, or null when the server refused. */
  async save(): Promise<WatchedFolder | null> {
    this.stop();
    this.saving = true;
    try {
      const rule = this.toRule();
      const saved = this.folder ? await updateFolder(this.folder.id, rule) : await watchFolder(rule);
      drafts.delete(this.id);
      return saved;
    } catch (error) {
      this.showError(error);
      return null;
    } finally {
      this.saving = false;
    }
  }

  /** Cancelled: what was typed is not wanted any more. */
  cancel(): void {
    this.stop();
    drafts.delete(this.id);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#dryRunAbort?.abort();
    this.dryRunning = false;
  }
}

function errorText(error: unknown): string {
  if (error instanceof ServerUnreachable) return t.form.offline;
  return error instanceof Error ? error.message : String(error);
}
