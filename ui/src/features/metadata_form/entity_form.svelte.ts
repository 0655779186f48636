import { undoHistory } from '../../state/undo_history.svelte';
import { SvelteMap } from 'svelte/reactivity';
import { ApiError, hasCode, ServerUnreachable, type Violation } from '../../api/errors';
import { bundleOf, getEntity, patchEntity, versionOf } from '../../api/resources';
import type { Entity, EntityKind, Field, FieldItem } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { readDrafts, removeDraft, writeDraft } from './drafts';
import { indexOfTyped, sameValues, typedText, wireValues, withTarget } from '../../fields/values';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';

/** `typed`: what was typed is no reference, and is kept as a draft. */
export type FieldState = 'rest' | 'saving' | 'saved' | 'wrong' | 'failed' | 'conflict' | 'typed';

/** The state of a field beyond its saved values. */
export interface FieldStatus {
  state: FieldState;
  violations: Violation[];
  /** The server's message where it names no value. */
  refusal: string | null;
  offline: boolean;
  restored: boolean;
}

/** Maximum number of attempts when others save at the same time. */
const MAX_TRIES = 4;

const IDLE: FieldStatus = { state: 'rest', violations: [], refusal: null, offline: false, restored: false };

const isUnsaved = ({ state }: FieldStatus): boolean =>
  state !== 'rest' && state !== 'saved' && state !== 'saving';

/** The form of a resource: its saved values, drafts and messages. */
export class EntityForm {
  entity: Entity = $state.raw({});
  etag: string | null = null;
  savedAt: Date | null = $state.raw(null);
  loaded = $state(false);
  readonly drafts = new SvelteMap<string, FieldItem[]>();
  readonly statuses = new SvelteMap<string, FieldStatus>();
  #queue: Promise<unknown> = Promise.resolve();
  /** Saves that are queued or in progress. */
  #pendingSaves = 0;
  /** Latest revision that the event stream reported. */
  #latestVid = 0;
  /** Saved values when each draft was begun, to detect conflicts. */
  #draftBases = new Map<string, FieldItem[]>();
  /** Rejected values, which are not sent again unchanged. */
  #refused = new Map<string, FieldItem[]>();
  /** Whether the form has left the page. */
  #closed = false;

  constructor(
    readonly kind: EntityKind,
    readonly id: number,
    readonly fieldsOf: (bundle: string) => Field[],
    /** Called after each save with the new and the former resource, and the field. */
    readonly onsaved: (entity: Entity, before: Entity, field: Field | undefined) => void = () => {},
  ) {}

  get key(): string {
    return `${this.kind}.${this.id}`;
  }

  /** Empty until the resource is loaded. */
  get bundle(): string {
    return bundleOf(this.kind, this.entity);
  }

  get fields(): Field[] {
    return this.fieldsOf(this.bundle);
  }

  get vid(): number {
    return versionOf(this.entity);
  }

  /** Number of fields with unsaved values. */
  get unsaved(): number {
    return [...this.statuses.values()].filter(isUnsaved).length;
  }

  get saving(): boolean {
    return [...this.statuses.values()].some(({ state }) => state === 'saving');
  }

  async load(): Promise<void> {
    const { body, etag } = await getEntity(this.kind, this.id);
    this.entity = body;
    this.etag = etag;
    this.restoreDrafts();
    this.loaded = true;
    await this.refetchIfStale();
  }

  /** Reports a revision that somebody saved. The resource is read again once pending saves are done. */
  receiveVersion(vid: number): Promise<void> {
    this.#latestVid = Math.max(this.#latestVid, vid);
    return this.refetchIfStale();
  }

  private async refetchIfStale(): Promise<void> {
    if (!this.loaded || this.#pendingSaves > 0 || this.#latestVid <= this.vid) return;
    await this.refetch().catch(() => {});
  }

  private restoreDrafts(): void {
    for (const [name, items] of Object.entries(readDrafts(this.key))) {
      if (this.drafts.has(name) || !this.field(name)) continue;
      this.#draftBases.set(name, this.saved(name));
      this.drafts.set(name, items);
      if (this.isChanged(name)) this.setStatus(name, { state: 'failed', restored: true });
      else if (this.hasTyped(name)) this.setStatus(name, { state: 'typed', restored: true });
      else this.discard(name);
    }
  }

  field(name: string): Field | undefined {
    return this.fields.find((field) => field.name === name);
  }

  saved(name: string): FieldItem[] {
    return this.entity[name] ?? [];
  }

  /** The draft, otherwise the saved values. */
  values(name: string): FieldItem[] {
    return this.drafts.get(name) ?? this.saved(name);
  }

  status(name: string): FieldStatus {
    return this.statuses.get(name) ?? IDLE;
  }

  private setStatus(name: string, status: Partial<FieldStatus>): void {
    this.statuses.set(name, { ...IDLE, ...status });
    if (this.#closed) this.warnIfUnsaved();
  }

  /** Call this when the form leaves the page. What is not saved then stays as a draft, and the user is told. */
  close(): void {
    this.#closed = true;
    this.warnIfUnsaved();
  }

  private warnIfUnsaved(): void {
    const unsaved = [...this.statuses.values()].filter((status) => isUnsaved(status) && !status.restored);
    if (unsaved.length === 0) return;
    const [title] = this.saved('title')[0] ? this.saved('title') : this.saved('name');
    toaster.warn(t.form.leftUnsaved(String(title?.value ?? ''), unsaved.length));
  }

  isChanged(name: string): boolean {
    const draft = this.drafts.get(name);
    const type = fieldType(this.field(name)?.type ?? '');
    return draft !== undefined && type !== undefined && !sameValues(type, draft, this.saved(name));
  }

  /** Whether a draft has a text that is no reference yet. */
  private hasTyped(name: string): boolean {
    return this.drafts.get(name)?.some((item) => typedText(item) !== '') ?? false;
  }

  /** A typed text has become a reference, or is none: null. Answers the index of the value, -1 without one. */
  resolveTyped(name: string, typed: string, target: FieldItem | null): number {
    const items = this.values(name);
    const at = indexOfTyped(items, typed);
    if (at < 0) return at;
    if (target) {
      this.change(
        name,
        items.map((item, index) => (index === at ? withTarget(item, target) : item)),
      );
      void this.commit(name);
    } else if (!isUnsaved(this.status(name)) && this.status(name).state !== 'saving') {
      this.setStatus(name, { state: 'typed' });
    }
    return at;
  }

  /** Stores typed values as a draft. Nothing is sent before `commit`. */
  change(name: string, items: FieldItem[]): void {
    if (!this.drafts.has(name)) this.#draftBases.set(name, this.saved(name));
    this.drafts.set(name, items);
    writeDraft(this.key, name, items);
    if (['saved', 'wrong'].includes(this.status(name).state)) this.statuses.delete(name);
  }

  /** Discards the draft. */
  discard(name: string): void {
    this.drafts.delete(name);
    this.statuses.delete(name);
    this.#draftBases.delete(name);
    removeDraft(this.key, name);
  }

  /** Discards a draft without changes. A text that is no reference yet stays. */
  private discardUnlessTyped(name: string): void {
    if (!this.hasTyped(name)) return this.discard(name);
    if (this.status(name).state === 'saving') this.setStatus(name, { state: 'typed' });
  }

  /** Saves a field if it was changed. Saves run one at a time, each with the current ETag. */
  commit(name: string): Promise<void> {
    const state = this.status(name).state;
    // While a save is in progress the saved values are unknown: changes are checked when the next one starts.
    if (state !== 'saving' && !this.isChanged(name)) {
      if (this.drafts.has(name)) this.discardUnlessTyped(name);
      return Promise.resolve();
    }
    if (state === 'conflict' || this.isRefused(name)) return Promise.resolve();
    this.setStatus(name, { state: 'saving' });
    this.#pendingSaves += 1;
    const run = undoHistory.during(() => this.#queue.then(() => this.save(name)));
    const over = () => {
      this.#pendingSaves -= 1;
      return this.refetchIfStale();
    };
    this.#queue = run.then(over, over);
    return run;
  }

  private async save(name: string, tries = 1): Promise<void> {
    const type = fieldType(this.field(name)?.type ?? '');
    const draft = this.drafts.get(name);
    if (!type || !draft || this.isRefused(name)) return;
    // A queued save may have become unnecessary.
    if (!this.isChanged(name)) return this.discardUnlessTyped(name);
    // Somebody else's change may have been read since the draft was begun.
    if (!this.isBaseCurrent(name)) return this.setStatus(name, { state: 'conflict' });
    this.setStatus(name, { state: 'saving' });
    try {
      await this.send(name, wireValues(type, draft));
      this.finishSave(name, draft);
    } catch (error) {
      if (hasCode(error, 'precondition_failed') && tries < MAX_TRIES) await this.rebase(name, draft, tries);
      else this.failSave(name, draft, error);
    }
  }

  /** Whether the saved values are those that the draft was based on. */
  private isBaseCurrent(name: string): boolean {
    const type = fieldType(this.field(name)?.type ?? '');
    const base = this.#draftBases.get(name);
    return type === undefined || base === undefined || sameValues(type, base, this.saved(name));
  }

  private isRefused(name: string): boolean {
    return this.status(name).state === 'wrong' && this.#refused.get(name) === this.drafts.get(name);
  }

  private async send(name: string, values: FieldItem[]): Promise<void> {
    const before = this.entity;
    const answer = await patchEntity(this.kind, this.id, this.bundle, { [name]: values }, this.etag);
    this.entity = answer.body;
    this.etag = answer.etag;
    if (this.etag === null) await this.refetch();
    this.savedAt = new Date();
    this.onsaved(this.entity, before, this.field(name));
  }

  /** After a save, values typed meanwhile remain a draft. */
  private finishSave(name: string, sent: FieldItem[]): void {
    if (this.drafts.get(name) === sent && !this.hasTyped(name)) this.discard(name);
    else this.#draftBases.set(name, this.saved(name));
    this.setStatus(name, { state: this.hasTyped(name) ? 'typed' : 'saved' });
  }

  private failSave(name: string, sent: FieldItem[], error: unknown): void {
    if (error instanceof ServerUnreachable) return this.setStatus(name, { state: 'failed', offline: true });
    if (!(error instanceof ApiError)) throw error;
    this.#refused.set(name, sent);
    const mine = error.violations.filter((line) => line.field === name);
    if (mine.length > 0) this.setStatus(name, { state: 'wrong', violations: mine });
    else this.setStatus(name, { state: 'wrong', refusal: error.message });
  }

  /** After a 412 response: reads the resource again, and saves unless the same field was changed. */
  private async rebase(name: string, sent: FieldItem[], tries: number): Promise<void> {
    try {
      await this.refetch();
    } catch (error) {
      return this.failSave(name, sent, error);
    }
    return this.save(name, tries + 1);
  }

  /** Resolves a conflict with the user's own values. */
  overwrite(name: string): Promise<void> {
    this.#draftBases.set(name, this.saved(name));
    this.setStatus(name, { state: 'rest' });
    return this.commit(name);
  }

  async refetch(): Promise<void> {
    const { body, etag } = await getEntity(this.kind, this.id);
    // A save may have ended before the answer arrived.
    if (versionOf(body) < this.vid) return;
    this.entity = body;
    this.etag = etag;
  }

  /** Retries saves that failed without a connection. */
  async retryOffline(): Promise<void> {
    const waiting = [...this.statuses].filter(([, status]) => status.offline).map(([name]) => name);
    for (const name of waiting) await this.commit(name);
  }

  /** Call this when the confirmation was displayed. */
  clearSaved(name: string): void {
    if (this.status(name).state === 'saved') this.statuses.delete(name);
  }
}
