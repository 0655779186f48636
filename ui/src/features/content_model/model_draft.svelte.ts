import {
  checkDefinition,
  readDefinition,
  writeDefinition,
  type BundleDefinition,
  type FieldDefinition,
  type ModelDefinition,
  type ModelOutcome,
} from '../../api/content_model';
import { hasCode } from '../../api/errors';
import { changeSettings, isSame, modelOf, modelSettings } from '../../state/model_settings';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { settingsStep } from '../undo/settings_steps';
import { countChanges } from './count_changes';
import { effectText } from './effects';
import { changeBundle } from './model_edit';

/** How often changes are added to those of others, one after another. */
const MAX_TRIES = 4;

/** The content model that is edited. Nothing is sent before it is checked and saved. */
export class ModelDraft {
  /** As the server has it; null before it is loaded. */
  saved: ModelDefinition | null = $state.raw(null);
  /** With the changes. */
  model: ModelDefinition | null = $state.raw(null);
  failure: Error | null = $state.raw(null);
  #etag: string | null = null;

  readonly changes = $derived(
    this.saved && this.model ? countChanges(modelSettings(this.saved), modelSettings(this.model)) : 0,
  );

  async load(): Promise<void> {
    this.failure = null;
    try {
      this.adopt(await readDefinition());
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  private adopt({ body, etag }: { body: ModelDefinition; etag: string | null }): void {
    this.#etag = etag;
    this.saved = this.model = body;
  }

  discard(): void {
    this.model = this.saved;
  }

  change(key: string, change: (bundle: BundleDefinition) => BundleDefinition): void {
    if (this.model) this.model = changeBundle(this.model, key, change);
  }

  savedBundle(key: string): BundleDefinition | undefined {
    return this.saved?.bundles.find(({ kind, id }) => `${kind}.${id}` === key);
  }

  /** The field as it was saved, also where it is removed. */
  savedField(key: string, name: string): FieldDefinition | undefined {
    const bundle = this.savedBundle(key);
    return [...(bundle?.fields ?? []), ...(bundle?.removed_fields ?? [])].find((one) => one.name === name);
  }

  /** Reads the model again after somebody has changed it. Answers whether changes were added to theirs. */
  async merge(): Promise<boolean> {
    const { saved, model } = this;
    const etag = this.#etag;
    const fresh = await readDefinition();
    if (!saved || !model || fresh.etag === etag || this.#etag !== etag) return false;
    const mine = this.changes > 0;
    const [now, from, to] = [fresh.body, saved, this.model ?? model].map(modelSettings);
    this.adopt(fresh);
    if (mine && now && from && to) this.model = modelOf(changeSettings(now, from, to));
    return mine;
  }

  /** What saving would do; and whether others have changed the model meanwhile. */
  async check(tries = 1): Promise<ModelOutcome & { merged: boolean }> {
    try {
      return { ...(await checkDefinition(this.wanted(), this.#etag)), merged: tries > 1 };
    } catch (error) {
      if (!hasCode(error, 'precondition_failed') || tries >= MAX_TRIES) throw error;
      await this.merge();
      return this.check(tries + 1);
    }
  }

  /** Writes the model. Answers what was done, in words. */
  save(): Promise<string> {
    return undoHistory.during(async () => {
      const [before, after] = [this.saved, this.wanted()];
      const { effects } = await writeDefinition(after, this.#etag);
      this.adopt(await readDefinition());
      const [only] = effects;
      const isOne = only !== undefined && effects.length === 1;
      const title = isOne && before ? effectText(only, after, before) : t.contentModel.undone(effects.length);
      if (before && this.saved) this.record(title, before, this.saved);
      await repository.reloadModel();
      return title;
    });
  }

  private record(title: string, before: ModelDefinition, after: ModelDefinition): void {
    const step = settingsStep({ kind: 'model', id: 0, title }, modelSettings(before), modelSettings(after));
    if (step) undoHistory.record(step);
  }

  private wanted(): ModelDefinition {
    if (!this.model) throw new Error('not loaded');
    return this.model;
  }

  isChanged(key: string, field: FieldDefinition): boolean {
    return !isSame(this.savedField(key, field.name), field);
  }
}
