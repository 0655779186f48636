import { undoHistory } from '../../state/undo_history.svelte';
import { ApiError, hasCode, ServerUnreachable } from '../../api/errors';
import { bundleOf, getEntity, patchEntity, versionOf } from '../../api/resources';
import { forEachConcurrently } from '../../api/concurrency';
import type { Change, Entity, Field, FieldItem } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { sameValues } from '../../fields/values';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import type { Step } from '../../state/undo_stack';
import { valueStep } from '../../state/undo_steps';
import {
  operationsFor,
  previewChange,
  isBatchEditable,
  type BatchOperation,
  type ChangePreview,
  type BatchChange,
} from './batch_change';

/** The state of one selected item. */
export interface BatchRow {
  readonly nid: number;
  entity: Entity | null;
  etag: string | null;
  /** `later`: it is read when it is changed. */
  state: 'reading' | 'later' | 'ready' | 'changed' | 'refused';
  /** The latest revision that the event stream reported. */
  latestVersion: number;
  /** The error message. */
  message: string | null;
}

/** Maximum number of attempts when others change the item at the same time. */
const MAX_TRIES = 4;
/** Maximum number of items that are read for the preview. */
export const MAX_PREVIEWED = 1000;
/** Milliseconds in which updates are collected before the preview is computed. */
const UPDATE_DELAY = 80;

/** The batch edit: selected items, the change, its preview and its progress. */
class BatchEdit {
  open = $state(false);
  rows: BatchRow[] = $state.raw([]);
  /** Counts changes of rows, which are not reactive themselves. */
  version = $state(0);
  running = $state(false);
  /** Whether the change is done: the rows stay until the user continues. */
  finished = $state(false);
  done = $state(0);
  todo = $state(0);
  changed = $state(0);
  offline = $state(false);
  fieldName: string | null = $state(null);
  operation: BatchOperation = $state('add');
  values: FieldItem[] = $state.raw([]);
  find: FieldItem = $state.raw({});
  #abort: AbortController | null = null;
  #loading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The fields of the content types of all rows, each once. */
  get fields(): Field[] {
    void this.version;
    const bundles = new Set(this.rows.map(({ entity }) => (entity ? bundleOf('node', entity) : '')));
    const all = [...bundles].flatMap((bundle) => this.fieldsOf(bundle));
    return [...new Map(all.filter(isBatchEditable).map((field) => [field.name, field])).values()];
  }

  private fieldsOf(bundle: string): Field[] {
    return repository.model.node_types[bundle]?.fields ?? [];
  }

  get field(): Field | null {
    return (
      this.fields.find(({ name }) => name === (this.fieldName ?? repository.model.field_roles.subject)) ??
      this.fields[0] ??
      null
    );
  }

  get change(): BatchChange | null {
    const { field } = this;
    if (!field) return null;
    const acts = operationsFor(field);
    const operation = acts.includes(this.operation) ? this.operation : (acts[0] ?? 'set');
    return { field, operation, values: this.values, find: this.find };
  }

  /** Chooses a field and clears the values. */
  chooseField(field: Field): void {
    this.fieldName = field.name;
    this.values = [];
    this.find = {};
  }

  /** Null until the item is read. */
  preview(row: BatchRow, change: BatchChange): ChangePreview | null {
    return row.entity && previewChange(change, row.entity, this.fieldsOf(bundleOf('node', row.entity)));
  }

  /** Sets the items; those that are known are not read again. */
  setItems(nids: number[]): void {
    if (this.running || this.finished) return;
    const existing = new Map(this.rows.map((row) => [row.nid, row]));
    this.rows = nids.map((nid, index) => existing.get(nid) ?? newRow(nid, index));
    void this.loadRows();
  }

  /** Reads items until none is missing. */
  private async loadRows(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      for (;;) {
        const unread = this.rows.filter(({ state }) => state === 'reading');
        if (unread.length === 0) break;
        const current = this.rows;
        // Items that are no longer selected are not read.
        await forEachConcurrently(unread, (row) =>
          current === this.rows ? this.loadRow(row) : Promise.resolve(),
        );
      }
    } finally {
      this.#loading = false;
      this.update();
    }
  }

  private async loadRow(row: BatchRow): Promise<void> {
    try {
      const { body, etag } = await getEntity('node', row.nid);
      // It was changed while it was being read, and is read again.
      if (versionOf(body) < row.latestVersion) return;
      Object.assign(row, { entity: body, etag, state: 'ready', message: null } satisfies Partial<BatchRow>);
    } catch (error) {
      Object.assign(row, {
        entity: null,
        state: 'refused',
        message: errorText(error),
      } satisfies Partial<BatchRow>);
    }
    this.#timer ??= setTimeout(() => this.update(), UPDATE_DELAY);
  }

  private update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.version += 1;
  }

  /** Reads an item again that somebody has changed. */
  receiveChange(event: Change): void {
    if (!this.open || this.running || this.finished || event.kind !== 'node') return;
    const row = this.rows.find(({ nid }) => nid === event.entity_id);
    if (!row || (row.entity && versionOf(row.entity) === event.vid)) return;
    row.latestVersion = event.vid ?? 0;
    row.state = 'reading';
    void this.loadRows();
  }

  /** Changes the items. All changes, also of a run that was stopped, are one undoable change. */
  run(): Promise<void> {
    const { change } = this;
    return !change || this.running ? Promise.resolve() : undoHistory.during(() => this.changeAll(change));
  }

  private async changeAll(change: BatchChange): Promise<void> {
    const rows = this.rows.filter(
      (row) => row.state === 'later' || this.preview(row, change)?.reason === null,
    );
    const stop = (this.#abort = new AbortController());
    const steps: Step[] = [];
    Object.assign(this, {
      running: true,
      offline: false,
      done: 0,
      changed: 0,
      todo: rows.length,
    } satisfies Partial<BatchEdit>);
    await forEachConcurrently(rows, (row) => this.changeRow(row, change, steps), stop.signal);
    undoHistory.record(...steps);
    Object.assign(this, {
      running: false,
      finished: true,
      changed: steps.length,
    } satisfies Partial<BatchEdit>);
    this.update();
  }

  cancel(): void {
    this.#abort?.abort();
  }

  private async changeRow(row: BatchRow, change: BatchChange, steps: Step[]): Promise<void> {
    try {
      const later = row.state === 'later';
      if (later && !(await this.loadAndCheck(row, change))) return;
      steps.push(await this.send(row, change));
      Object.assign(row, {
        state: 'changed',
        message: null,
        ...(later ? { entity: null } : {}),
      } satisfies Partial<BatchRow>);
    } catch (error) {
      if (error instanceof ServerUnreachable) {
        this.offline = true;
        this.cancel();
      } else Object.assign(row, { state: 'refused', message: errorText(error) } satisfies Partial<BatchRow>);
    } finally {
      this.done += 1;
      this.#timer ??= setTimeout(() => this.update(), UPDATE_DELAY);
    }
  }

  /** Reads an item before its change. An unchanged item is not counted. */
  private async loadAndCheck(row: BatchRow, change: BatchChange): Promise<boolean> {
    const { body, etag } = await getEntity('node', row.nid);
    Object.assign(row, { entity: body, etag, state: 'ready' } satisfies Partial<BatchRow>);
    const changes = this.preview(row, change)?.reason === null;
    if (!changes) {
      row.entity = null;
      this.todo -= 1;
      this.done -= 1;
    }
    return changes;
  }

  /** Changes an item on the revision that was previewed. */
  private async send(row: BatchRow, change: BatchChange, tries = 1): Promise<Step> {
    const { entity: before, etag } = row;
    const preview = this.preview(row, change);
    if (!before || preview?.reason !== null) throw new Error(t.batch.meanwhile);
    try {
      const fields = { [change.field.name]: preview.after };
      const answer = await patchEntity('node', row.nid, bundleOf('node', before), fields, etag);
      Object.assign(row, { entity: answer.body, etag: answer.etag } satisfies Partial<BatchRow>);
      return valueStep('node', before, answer.body, [change.field]);
    } catch (error) {
      if (!hasCode(error, 'precondition_failed') || tries >= MAX_TRIES) throw error;
      await this.rebase(row, before, change.field);
      return this.send(row, change, tries + 1);
    }
  }

  /** After a 412 response: reads the item again, and fails if the same field was changed. */
  private async rebase(row: BatchRow, before: Entity, { name, type }: Field): Promise<void> {
    const { body, etag } = await getEntity('node', row.nid);
    Object.assign(row, { entity: body, etag } satisfies Partial<BatchRow>);
    const existing = fieldType(type);
    if (!existing || !sameValues(existing, body[name] ?? [], before[name] ?? []))
      throw new Error(t.batch.meanwhile);
  }

  /** Returns to the preview with these items. */
  restart(nids: number[]): void {
    this.finished = false;
    this.rows = nids.map((nid, index) => newRow(nid, index));
    void this.loadRows();
  }

  close(): void {
    this.open = false;
    this.finished = false;
    this.rows = [];
  }
}

function newRow(nid: number, index: number): BatchRow {
  const state = index < MAX_PREVIEWED ? 'reading' : 'later';
  return { nid, entity: null, etag: null, state, latestVersion: 0, message: null };
}

function errorText(error: unknown): string {
  if (error instanceof ServerUnreachable) return t.failures.unreachable;
  if (error instanceof ApiError && error.violations.length > 0)
    return error.violations.map(({ message }) => message).join(' ');
  return error instanceof Error ? error.message : String(error);
}

export const batchEdit = new BatchEdit();
