import { ApiError, Unreachable } from '../api/errors';
import { bundleOf, getEntity, patchEntity, versionOf } from '../api/resources';
import { forEach } from '../api/several';
import type { Change, Entity, Field, FieldItem } from '../api/types';
import { fieldType } from '../fields/registry';
import { sameValues } from '../forms/values';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';
import type { Step } from '../undo/change';
import { valueStep } from '../undo/step_of';
import { undo } from '../undo/undo.svelte';
import { actsFor, foresee, mayBatch, type Act, type Foreseen, type Wish } from './wish';

/** One of the items, with what is known of it and what has become of it. */
export interface Row {
  readonly nid: number;
  entity: Entity | null;
  etag: string | null;
  /** `later`: it is read when its turn comes to be changed. */
  state: 'reading' | 'later' | 'ready' | 'changed' | 'refused';
  /** The latest state that was told of. */
  heard: number;
  /** The server's words, or ours, when it was refused. */
  said: string | null;
}

/** How often a change follows the changes of others to other fields before it gives up. */
const TRIES = 4;
/** Items that are read beforehand, so that it is shown what becomes of each. */
export const MOST_FORESEEN = 1000;
/** Milliseconds for which arrivals are gathered before what is shown is worked out anew. */
const GATHER = 80;

/** One field of many items to be changed: what is wished, what it means for each, and what came of it. */
class Batch {
  open = $state(false);
  rows: Row[] = $state.raw([]);
  /** Counts changes within the rows, which do not tell of them themselves. */
  version = $state(0);
  running = $state(false);
  /** Changes are over: the rows stay as they are until somebody goes on. */
  over = $state(false);
  done = $state(0);
  todo = $state(0);
  changed = $state(0);
  offline = $state(false);
  fieldName = $state('field_subject');
  act: Act = $state('add');
  values: FieldItem[] = $state.raw([]);
  find: FieldItem = $state.raw({});
  #stop: AbortController | null = null;
  #reading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The fields of all content types that are among the rows, each once. */
  get fields(): Field[] {
    void this.version;
    const bundles = new Set(this.rows.map(({ entity }) => (entity ? bundleOf('node', entity) : '')));
    const all = [...bundles].flatMap((bundle) => this.fieldsOf(bundle));
    return [...new Map(all.filter(mayBatch).map((field) => [field.name, field])).values()];
  }

  private fieldsOf(bundle: string): Field[] {
    return repository.model.node_types[bundle]?.fields ?? [];
  }

  get field(): Field | null {
    return this.fields.find(({ name }) => name === this.fieldName) ?? this.fields[0] ?? null;
  }

  get wish(): Wish | null {
    const { field } = this;
    if (!field) return null;
    const acts = actsFor(field);
    const act = acts.includes(this.act) ? this.act : (acts[0] ?? 'set');
    return { field, act, values: this.values, find: this.find };
  }

  /** Another field: what was typed for the last one makes no sense in it. */
  choose(field: Field): void {
    this.fieldName = field.name;
    this.values = [];
    this.find = {};
  }

  /** Null while the item is still being read. */
  foreseen(row: Row, wish: Wish): Foreseen | null {
    return row.entity && foresee(wish, row.entity, this.fieldsOf(bundleOf('node', row.entity)));
  }

  /** Takes these items; those that are known already are not read again. */
  take(nids: number[]): void {
    if (this.running || this.over) return;
    const known = new Map(this.rows.map((row) => [row.nid, row]));
    this.rows = nids.map((nid, index) => known.get(nid) ?? newRow(nid, index));
    void this.read();
  }

  /** Reads what is not known, until everything is. */
  private async read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      for (;;) {
        const unread = this.rows.filter(({ state }) => state === 'reading');
        if (unread.length === 0) break;
        const taken = this.rows;
        // Those that are no longer among the rows need not be read.
        await forEach(unread, (row) => (taken === this.rows ? this.readRow(row) : Promise.resolve()));
      }
    } finally {
      this.#reading = false;
      this.show();
    }
  }

  private async readRow(row: Row): Promise<void> {
    try {
      const { body, etag } = await getEntity('node', row.nid);
      // Somebody has changed it while it was being read: it stays among those to be read.
      if (versionOf(body) < row.heard) return;
      Object.assign(row, { entity: body, etag, state: 'ready', said: null });
    } catch (error) {
      Object.assign(row, { entity: null, state: 'refused', said: wordsOf(error) });
    }
    this.#timer ??= setTimeout(() => this.show(), GATHER);
  }

  private show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.version += 1;
  }

  /** Somebody has changed an item: it is read again, so that what is shown is what would happen. */
  hear(change: Change): void {
    if (!this.open || this.running || this.over || change.kind !== 'node') return;
    const row = this.rows.find(({ nid }) => nid === change.entity_id);
    if (!row || (row.entity && versionOf(row.entity) === change.vid)) return;
    row.heard = change.vid ?? 0;
    row.state = 'reading';
    void this.read();
  }

  /** Changes all that would change. What was changed is one entry in the undo, however it ends. */
  run(): Promise<void> {
    const { wish } = this;
    return !wish || this.running ? Promise.resolve() : undo.during(() => this.changeAll(wish));
  }

  private async changeAll(wish: Wish): Promise<void> {
    const rows = this.rows.filter(
      (row) => row.state === 'later' || this.foreseen(row, wish)?.reason === null,
    );
    const stop = (this.#stop = new AbortController());
    const steps: Step[] = [];
    Object.assign(this, { running: true, offline: false, done: 0, changed: 0, todo: rows.length });
    await forEach(rows, (row) => this.change(row, wish, steps), stop.signal);
    undo.did(...steps);
    Object.assign(this, { running: false, over: true, changed: steps.length });
    this.show();
  }

  cancel(): void {
    this.#stop?.abort();
  }

  private async change(row: Row, wish: Wish, steps: Step[]): Promise<void> {
    try {
      const later = row.state === 'later';
      if (later && !(await this.changesAfterAll(row, wish))) return;
      steps.push(await this.send(row, wish));
      Object.assign(row, { state: 'changed', said: null, ...(later ? { entity: null } : {}) });
    } catch (error) {
      if (error instanceof Unreachable) {
        this.offline = true;
        this.cancel();
      } else Object.assign(row, { state: 'refused', said: wordsOf(error) });
    } finally {
      this.done += 1;
      this.#timer ??= setTimeout(() => this.show(), GATHER);
    }
  }

  /** Reads an item whose turn has come; one that stays as it is counts no more. */
  private async changesAfterAll(row: Row, wish: Wish): Promise<boolean> {
    const { body, etag } = await getEntity('node', row.nid);
    Object.assign(row, { entity: body, etag, state: 'ready' });
    const changes = this.foreseen(row, wish)?.reason === null;
    if (!changes) {
      row.entity = null;
      this.todo -= 1;
      this.done -= 1;
    }
    return changes;
  }

  /** Changes one item, upon the state that was shown. */
  private async send(row: Row, wish: Wish, tries = 1): Promise<Step> {
    const { entity: before, etag } = row;
    const foreseen = this.foreseen(row, wish);
    if (!before || foreseen?.reason !== null) throw new Error(t.batch.meanwhile);
    try {
      const fields = { [wish.field.name]: foreseen.after };
      const answer = await patchEntity('node', row.nid, bundleOf('node', before), fields, etag);
      Object.assign(row, { entity: answer.body, etag: answer.etag });
      return valueStep('node', before, answer.body, [wish.field]);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || tries >= TRIES) throw error;
      await this.meet(row, before, wish.field);
      return this.send(row, wish, tries + 1);
    }
  }

  /** Somebody else was first. Another field: the change goes upon theirs. The same: a person looks again. */
  private async meet(row: Row, before: Entity, { name, type }: Field): Promise<void> {
    const { body, etag } = await getEntity('node', row.nid);
    Object.assign(row, { entity: body, etag });
    const known = fieldType(type);
    if (!known || !sameValues(known, body[name] ?? [], before[name] ?? []))
      throw new Error(t.batch.meanwhile);
  }

  /** Back to the preview, of items as they are now. */
  again(nids: number[]): void {
    this.over = false;
    this.rows = nids.map((nid, index) => newRow(nid, index));
    void this.read();
  }

  close(): void {
    this.open = false;
    this.over = false;
    this.rows = [];
  }
}

function newRow(nid: number, index: number): Row {
  const state = index < MOST_FORESEEN ? 'reading' : 'later';
  return { nid, entity: null, etag: null, state, heard: 0, said: null };
}

function wordsOf(error: unknown): string {
  if (error instanceof Unreachable) return t.failures.unreachable;
  if (error instanceof ApiError && error.violations.length > 0)
    return error.violations.map(({ text }) => text).join(' ');
  return error instanceof Error ? error.message : String(error);
}

export const batch = new Batch();
