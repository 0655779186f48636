import type { BatchPreview, Change, Field, FieldItem, ItemChange, TextMatch } from '../../api/types';
import { errorText, LivePreview } from '../../state/batch_preview.svelte';
import { runUndoableBatch, type BatchOutcome } from '../../state/batch_run';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import {
  ALL_TEXTS,
  FROM_FILE,
  operationsFor,
  isBatchEditable,
  requestOf,
  specialField,
  type BatchOperation,
  type BatchChange,
} from './batch_change';

/** The result of a change that is done. */
export interface BatchResult extends BatchOutcome {
  /** How many items the preview said would change. */
  expected: number;
}

/** The batch edit: selected items, the change, its preview by the server, and its progress. */
class BatchEdit {
  open = $state(false);
  nids: number[] = $state.raw([]);
  readonly live = new LivePreview();
  /** Why the change was not begun. */
  failure: string | null = $state(null);
  running = $state(false);
  done = $state(0);
  todo = $state(0);
  /** The result: it stays until the user continues. */
  result: BatchResult | null = $state.raw(null);
  fieldName: string | null = $state(null);
  operation: BatchOperation = $state('add');
  values: FieldItem[] = $state.raw([]);
  find: FieldItem = $state.raw({});
  matchCase = $state(true);
  matching: TextMatch = $state('text');
  #abort: AbortController | null = null;
  #known = new Set<number>();

  /** The fields of all content types, each once, and what stands for several. */
  get fields(): Field[] {
    const all = Object.values(repository.model.node_types).flatMap(({ fields }) => fields);
    const fields = new Map(all.filter(isBatchEditable).map((field) => [field.name, field]));
    return [...fields.values()];
  }

  /** Choices beside the fields. */
  get specials(): Field[] {
    return [specialField(ALL_TEXTS, t.batch.allTexts), specialField(FROM_FILE, t.batch.fromFile)];
  }

  get field(): Field | null {
    const name = this.fieldName ?? repository.model.field_roles.subject;
    return [...this.specials, ...this.fields].find((field) => field.name === name) ?? this.fields[0] ?? null;
  }

  get change(): BatchChange | null {
    const { field } = this;
    if (!field) return null;
    const acts = operationsFor(field);
    const operation = acts.includes(this.operation) ? this.operation : (acts[0] ?? 'set');
    const { values, find, matchCase, matching } = this;
    return { field, operation, values, find, matchCase, matching };
  }

  /** The change for the server; null where it is not complete. */
  get request(): ItemChange | null {
    return this.change && requestOf(this.change);
  }

  /** Chooses a field and clears the values. */
  chooseField(field: Field): void {
    this.fieldName = field.name;
    this.values = [];
    this.find = {};
  }

  /** Opens with all texts of the items, to replace what is found in them. */
  openReplacement(): void {
    if (!this.running && !this.result && this.operation !== 'replace') {
      this.chooseField(specialField(ALL_TEXTS, t.batch.allTexts));
      this.operation = 'replace';
    }
    this.open = true;
  }

  setItems(nids: number[]): void {
    if (this.running || this.result) return;
    this.nids = nids;
    this.#known = new Set(nids);
    this.look();
  }

  /** Asks for the preview soon. */
  look(): void {
    if (this.running || this.result || !this.open) return;
    const { nids, request } = this;
    this.failure = null;
    this.live.ask({ nids }, nids.length > 0 ? request : null);
  }

  /** Looks again where somebody has changed one of the items. */
  receiveChange(event: Change): void {
    if (event.kind === 'node' && this.#known.has(event.entity_id)) this.look();
  }

  /** Changes the items. An undo that is asked for meanwhile waits. */
  run(): Promise<void> {
    const { change, request } = this;
    const preview = this.live.current;
    if (!change || !request || !preview || this.running) return Promise.resolve();
    return undoHistory.during(() => this.changeAll(change, request, preview));
  }

  private async changeAll(change: BatchChange, request: ItemChange, preview: BatchPreview): Promise<void> {
    const stop = (this.#abort = new AbortController());
    const all = this.nids.length;
    Object.assign(this, { running: true, done: 0, todo: all } satisfies Partial<BatchEdit>);
    try {
      const onstep = (done: number) => (this.done = done);
      const name = { what: 'values', title: preview.items[0]?.title, label: change.field.label } as const;
      const progress = { seen: preview.seen, signal: stop.signal, onstep };
      const outcome = await runUndoableBatch({ nids: this.nids }, request, name, progress);
      this.result = { ...outcome, expected: preview.changes };
    } catch (error) {
      this.failure = errorText(error);
    }
    this.running = false;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** Returns to the preview with these items. */
  restart(nids: number[]): void {
    this.result = null;
    this.setItems(nids);
  }

  close(): void {
    this.live.stop();
    this.live.current = null;
    Object.assign(this, { open: false, result: null, nids: [], failure: null } satisfies Partial<BatchEdit>);
  }
}

export const batchEdit = new BatchEdit();
