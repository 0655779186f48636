import { SvelteMap } from 'svelte/reactivity';
import { ApiError, Unreachable, type Violation } from '../api/errors';
import { bundleOf, getEntity, patchEntity, versionOf } from '../api/resources';
import type { Entity, EntityKind, Field, FieldItem } from '../api/types';
import { fieldType } from '../fields/registry';
import { keepDraft, readDrafts } from './drafts';
import { sameValues, wireValues } from './values';
import { undo } from '../undo/undo.svelte';

export type FieldState = 'rest' | 'saving' | 'saved' | 'wrong' | 'failed' | 'conflict';

/** What the form knows about one field beyond its saved values. */
export interface FieldStatus {
  state: FieldState;
  violations: Violation[];
  /** The server's sentence when it refused for another reason than the values. */
  refusal: string | null;
  offline: boolean;
  restored: boolean;
}

/** How often a save follows the saves of others before it gives up. */
const TRIES = 4;

const REST: FieldStatus = { state: 'rest', violations: [], refusal: null, offline: false, restored: false };

/** A resource being described: what is saved, what is typed, and what the server said to it. */
export class Form {
  entity: Entity = $state.raw({});
  etag: string | null = null;
  savedAt: Date | null = $state.raw(null);
  readonly drafts = new SvelteMap<string, FieldItem[]>();
  readonly statuses = new SvelteMap<string, FieldStatus>();
  #queue: Promise<unknown> = Promise.resolve();
  /** Saves that are not answered, or wait for their turn. */
  #underWay = 0;
  #loaded = false;
  /** The latest state that was told of. */
  #heard = 0;
  /** The saved values that each draft began from, to see whose change came first. */
  #bases = new Map<string, FieldItem[]>();
  /** Values that the server refused, not to be sent again as they are. */
  #refused = new Map<string, FieldItem[]>();

  constructor(
    readonly kind: EntityKind,
    readonly id: number,
    readonly fields: () => Field[],
    /** Told after each save, with the new state, the one before, and the field that differs. */
    readonly onsaved: (entity: Entity, before: Entity, field: Field | undefined) => void = () => {},
  ) {}

  get key(): string {
    return `${this.kind}.${this.id}`;
  }

  get vid(): number {
    return versionOf(this.entity);
  }

  /** Fields with words that are not on the server. */
  get unsaved(): number {
    return [...this.statuses.values()].filter(
      ({ state }) => state !== 'rest' && state !== 'saved' && state !== 'saving',
    ).length;
  }

  get saving(): boolean {
    return [...this.statuses.values()].some(({ state }) => state === 'saving');
  }

  async load(): Promise<void> {
    const { body, etag } = await getEntity(this.kind, this.id);
    this.entity = body;
    this.etag = etag;
    this.#loaded = true;
    this.restoreDrafts();
    await this.catchUp();
  }

  /** Somebody has saved a state. It is read as soon as what is under way here is known, if that is not it. */
  hear(vid: number): Promise<void> {
    this.#heard = Math.max(this.#heard, vid);
    return this.catchUp();
  }

  private async catchUp(): Promise<void> {
    if (!this.#loaded || this.#underWay > 0 || this.#heard <= this.vid) return;
    await this.refetch().catch(() => {});
  }

  private restoreDrafts(): void {
    for (const [name, items] of Object.entries(readDrafts(this.key))) {
      if (this.drafts.has(name) || !this.field(name)) continue;
      this.#bases.set(name, this.saved(name));
      this.drafts.set(name, items);
      if (this.isChanged(name)) this.setStatus(name, { state: 'failed', restored: true });
      else this.giveUp(name);
    }
  }

  field(name: string): Field | undefined {
    return this.fields().find((field) => field.name === name);
  }

  saved(name: string): FieldItem[] {
    return this.entity[name] ?? [];
  }

  /** What the form shows: what was typed, else what is saved. */
  values(name: string): FieldItem[] {
    return this.drafts.get(name) ?? this.saved(name);
  }

  status(name: string): FieldStatus {
    return this.statuses.get(name) ?? REST;
  }

  private setStatus(name: string, status: Partial<FieldStatus>): void {
    this.statuses.set(name, { ...REST, ...status });
  }

  isChanged(name: string): boolean {
    const draft = this.drafts.get(name);
    const type = fieldType(this.field(name)?.type ?? '');
    return draft !== undefined && type !== undefined && !sameValues(type, draft, this.saved(name));
  }

  /** Takes typed values. Nothing is sent before `commit`. */
  change(name: string, items: FieldItem[]): void {
    if (!this.drafts.has(name)) this.#bases.set(name, this.saved(name));
    this.drafts.set(name, items);
    keepDraft(this.key, name, items);
    if (this.status(name).state === 'saved') this.statuses.delete(name);
  }

  /** Gives the saved values back. */
  giveUp(name: string): void {
    this.drafts.delete(name);
    this.statuses.delete(name);
    this.#bases.delete(name);
    keepDraft(this.key, name, null);
  }

  /** Saves a field if it differs. One save at a time, each naming the state it was made upon. */
  commit(name: string): Promise<void> {
    const state = this.status(name).state;
    // While a save is under way, what is saved is not known: whether there is anything to save is asked in its turn.
    if (state !== 'saving' && !this.isChanged(name)) {
      if (this.drafts.has(name)) this.giveUp(name);
      return Promise.resolve();
    }
    if (state === 'conflict' || this.isRefused(name)) return Promise.resolve();
    this.setStatus(name, { state: 'saving' });
    this.#underWay += 1;
    const run = undo.during(() => this.#queue.then(() => this.save(name)));
    const over = () => {
      this.#underWay -= 1;
      return this.catchUp();
    };
    this.#queue = run.then(over, over);
    return run;
  }

  private async save(name: string, tries = 1): Promise<void> {
    const type = fieldType(this.field(name)?.type ?? '');
    const draft = this.drafts.get(name);
    if (!type || !draft || this.isRefused(name)) return;
    // A save that waited its turn may have nothing left to do.
    if (!this.isChanged(name)) return this.giveUp(name);
    // Somebody else's change may have been read since the typing began.
    if (!this.isOnBase(name)) return this.setStatus(name, { state: 'conflict' });
    this.setStatus(name, { state: 'saving' });
    try {
      await this.send(name, wireValues(type, draft));
      this.settle(name, draft);
    } catch (error) {
      if (error instanceof ApiError && error.status === 412 && tries < TRIES)
        await this.meet(name, draft, tries);
      else this.refuse(name, draft, error);
    }
  }

  /** Whether the saved values are still those that the draft began from. */
  private isOnBase(name: string): boolean {
    const type = fieldType(this.field(name)?.type ?? '');
    const base = this.#bases.get(name);
    return type === undefined || base === undefined || sameValues(type, base, this.saved(name));
  }

  private isRefused(name: string): boolean {
    return this.status(name).state === 'wrong' && this.#refused.get(name) === this.drafts.get(name);
  }

  private async send(name: string, values: FieldItem[]): Promise<void> {
    const before = this.entity;
    const bundle = bundleOf(this.kind, before);
    const answer = await patchEntity(this.kind, this.id, bundle, { [name]: values }, this.etag);
    this.entity = answer.body;
    this.etag = answer.etag;
    if (this.etag === null) await this.refetch();
    this.savedAt = new Date();
    this.onsaved(this.entity, before, this.field(name));
  }

  /** After a save: what was typed meanwhile stays a draft. */
  private settle(name: string, sent: FieldItem[]): void {
    if (this.drafts.get(name) === sent) this.giveUp(name);
    else this.#bases.set(name, this.saved(name));
    this.setStatus(name, { state: 'saved' });
  }

  private refuse(name: string, sent: FieldItem[], error: unknown): void {
    if (error instanceof Unreachable) return this.setStatus(name, { state: 'failed', offline: true });
    if (!(error instanceof ApiError)) throw error;
    this.#refused.set(name, sent);
    const mine = error.violations.filter((line) => line.field === name || line.field === '');
    if (mine.length > 0) this.setStatus(name, { state: 'wrong', violations: mine });
    else this.setStatus(name, { state: 'wrong', refusal: error.message });
  }

  /** Somebody else saved first. Another field: saved upon their state. The same field: a choice. */
  private async meet(name: string, sent: FieldItem[], tries: number): Promise<void> {
    try {
      await this.refetch();
    } catch (error) {
      return this.refuse(name, sent, error);
    }
    return this.save(name, tries + 1);
  }

  /** The choice after a conflict: mine goes upon their state. */
  keepMine(name: string): Promise<void> {
    this.#bases.set(name, this.saved(name));
    this.setStatus(name, { state: 'rest' });
    return this.commit(name);
  }

  async refetch(): Promise<void> {
    const { body, etag } = await getEntity(this.kind, this.id);
    // A save may have overtaken the question.
    if (versionOf(body) < this.vid) return;
    this.entity = body;
    this.etag = etag;
  }

  /** Saves again whatever the server could not be asked for. */
  async retryOffline(): Promise<void> {
    const waiting = [...this.statuses].filter(([, status]) => status.offline).map(([name]) => name);
    for (const name of waiting) await this.commit(name);
  }

  /** Called when the tick has been seen. */
  calm(name: string): void {
    if (this.status(name).state === 'saved') this.statuses.delete(name);
  }
}
