import { rehearseRule } from '../../api/watched';
import { ApiError, Unreachable, type Violation } from '../../api/errors';
import type { DryRun, WatchedFolder, WatchRule } from '../../api/types';
import { t } from '../../texts';
import { changeFolder, watchFolder } from './acts';
import { linesOf, templateOf, usualRule, type TemplateLine } from './rule';

/** What was typed and not saved, by folder; `null` is the one that is not watched yet. */
const kept = new Map<number | null, { rule: WatchRule; lines: TemplateLine[] }>();
/** So long nothing is changed before it is looked what would happen. */
const PAUSE = 350;

/** A rule as it is being made or changed, with what the server says of it and what it would do now. */
export class RuleForm {
  rule: WatchRule = $state() as WatchRule;
  lines: TemplateLine[] = $state([]);
  /** What would become of what is in the folder. Null before anything is known of the rule as it stands. */
  dryRun: DryRun | null = $state.raw(null);
  looking = $state(false);
  saving = $state(false);
  failure: string | null = $state(null);
  /** Typed earlier, and here again. */
  restored = $state(false);
  #violations: Violation[] = $state.raw([]);
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly folder: WatchedFolder | null) {
    const before = kept.get(this.id);
    this.restored = before !== undefined;
    this.begin(before);
  }

  private get id(): number | null {
    return this.folder?.id ?? null;
  }

  /** What is wrong with a line of the rule, in the server's words. */
  about(line: string): string[] {
    return this.#violations.filter(({ field }) => field === line).map(({ text }) => text);
  }

  get flawed(): boolean {
    return this.#violations.length > 0;
  }

  private begin(from?: { rule: WatchRule; lines: TemplateLine[] }): void {
    this.rule = from?.rule ?? { ...usualRule(), ...this.folder?.rule };
    this.lines = from?.lines ?? linesOf(this.rule.template);
    if (this.rule.path !== '') this.look(0);
  }

  /** Forgets what was typed. */
  afresh(): void {
    kept.delete(this.id);
    this.restored = false;
    this.#violations = [];
    this.dryRun = null;
    this.begin();
  }

  /** Something was changed: it is kept, and looked at again. */
  changed(part: Partial<WatchRule> = {}): void {
    this.rule = { ...this.rule, ...part };
    kept.set(this.id, { rule: this.rule, lines: this.lines });
    this.look(PAUSE);
  }

  /** The rule as it is sent. */
  private whole(): WatchRule {
    const pattern = this.rule.name_pattern?.trim();
    return {
      ...this.rule,
      path: this.rule.path.trim(),
      name_pattern: pattern ? pattern : null,
      template: templateOf(this.lines),
    };
  }

  /** Asks what would happen, after a while in which nothing is changed. */
  look(delay: number): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.looking = false;
    if (this.rule.path.trim() === '') return;
    this.#timer = setTimeout(() => void this.rehearse(), delay);
  }

  private async rehearse(): Promise<void> {
    const controller = new AbortController();
    this.#asked = controller;
    this.looking = true;
    try {
      this.dryRun = await rehearseRule(this.whole(), controller.signal);
      this.#violations = [];
      this.failure = null;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.dryRun = null;
      this.refused(error);
    }
    this.looking = false;
  }

  private refused(error: unknown): void {
    this.#violations = error instanceof ApiError ? error.violations : [];
    this.failure = this.#violations.length > 0 ? null : wordsOf(error);
  }

  /** Saves; the folder as it is watched now, or null when the server refused. */
  async save(): Promise<WatchedFolder | null> {
    this.stop();
    this.saving = true;
    try {
      const rule = this.whole();
      const saved = this.folder ? await changeFolder(this.folder.id, rule) : await watchFolder(rule);
      kept.delete(this.id);
      return saved;
    } catch (error) {
      this.refused(error);
      return null;
    } finally {
      this.saving = false;
    }
  }

  /** Cancelled: what was typed is not wanted any more. */
  cancel(): void {
    this.stop();
    kept.delete(this.id);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.looking = false;
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Unreachable) return t.form.offline;
  return error instanceof Error ? error.message : String(error);
}
