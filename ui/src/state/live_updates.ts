import type { Query, QueryClient } from '@tanstack/svelte-query';
import { listenForChanges } from '../api/shared_events';
import { invalidateLabel } from '../api/labels.svelte';
import { invalidate } from '../api/invalidate';
import type { BatchNews, Change, EntityKind } from '../api/types';
import { collectionTree } from './collection_tree.svelte';
import { countsBelow } from './counts_below.svelte';
import { presence } from './presence.svelte';
import { repository } from './repository.svelte';
import { savedSearchCounts } from './saved_search_counts.svelte';

/** Milliseconds in which changes are collected before queries are invalidated. */
const BATCH_DELAY = 350;
const MIN_INTERVAL = 1500;
/** Names of the queries that list content. */
const LISTS = ['items', 'facets', 'counts', 'media', 'terms', 'users', 'tokens', 'trash', 'saved-searches'];

type ChangeListener = (change: Change) => void;
const listeners = new Set<ChangeListener>();

/** Calls the listener for every change of the repository. Returns a function that unsubscribes. */
export function onChange(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type BatchListener = (news: BatchNews) => void;
const batchListeners = new Set<BatchListener>();

/** Calls the listener when a change of many items comes further or ends. Returns a function that unsubscribes. */
export function onBatch(listener: BatchListener): () => void {
  batchListeners.add(listener);
  return () => batchListeners.delete(listener);
}

/** Whether a batch in this state has not ended. */
export const isOpenState = (state: BatchNews['state']): boolean =>
  state === 'running' || state === 'collecting' || state === 'paused';

/** Null until `followChanges` is called. */
let refresher: QueryRefresher | null = null;

/** Listens to the event stream and invalidates the queries that a change concerns. Returns a function that stops. */
export function followChanges(client: QueryClient): () => void {
  const controller = new AbortController();
  const current = new QueryRefresher(client);
  refresher = current;
  let wasConnected: boolean | null = null;
  listenForChanges(
    controller.signal,
    (change) => {
      invalidateLabel(change.kind, change.entity_id);
      for (const listener of listeners) listener(change);
      current.receive(change);
    },
    (news) => {
      // Its items are not told one by one: all lists are refreshed once, when it has ended.
      if (!isOpenState(news.state)) current.refreshAll();
      for (const listener of batchListeners) listener(news);
    },
    () =>
      void repository.reloadModel().then(
        () => current.refreshAll(),
        () => {},
      ),
    () => presence.refresh(),
    (open) => {
      repository.live = open;
      // What happened before the stream began was not told; the repository may have been restored from a backup.
      if (open && wasConnected === false) void repository.reloadModel().catch(() => {});
      if (open && wasConnected !== true) current.refreshAll();
      wasConnected = open;
    },
  );
  return () => controller.abort();
}

class QueryRefresher {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastFlush = 0;
  #items = new Set<number>();
  #lists = false;
  /** Versions that were saved here and whose lists are refreshed, by resource. */
  #refreshed = new Map<string, number>();

  constructor(readonly client: QueryClient) {}

  receive(change: Change): void {
    const refreshed = this.#refreshed.get(keyOf(change.kind, change.entity_id)) ?? 0;
    if (change.vid && change.vid <= refreshed) return;
    if (change.kind === 'node') this.#items.add(change.entity_id);
    for (const parent of change.parents) this.#items.add(parent);
    // A derivative changes no list, and thumbnails are polled separately.
    this.#lists ||= change.origin !== 'derivative';
    const wait = Math.max(BATCH_DELAY, this.#lastFlush + MIN_INTERVAL - Date.now());
    this.#timer ??= setTimeout(() => void this.flush(), wait);
  }

  refreshAll(): void {
    void invalidate(this.client);
    void collectionTree.refresh();
    countsBelow.refresh();
    savedSearchCounts.refresh();
  }

  /** Refreshes all lists and items now, with what waits for the next flush; ends when those shown are read. */
  refreshLists(): Promise<void> {
    clearTimeout(this.#timer);
    this.#lists = true;
    return this.flush((name) => ['item', 'watched', 'roles'].includes(String(name)));
  }

  /** Like `refreshLists`, after a save. The event of the same version then refreshes nothing again. */
  refreshAfterSave(kind: EntityKind, id: number, vid: number): void {
    this.#refreshed.set(keyOf(kind, id), vid);
    void this.refreshLists();
  }

  /** One invalidation for all changes since the last one. */
  private flush(alsoInvalidates: (name: unknown) => boolean = () => false): Promise<void> {
    const [items, lists] = [this.#items, this.#lists];
    [this.#timer, this.#lastFlush, this.#items, this.#lists] = [undefined, Date.now(), new Set(), false];
    const predicate = ({ queryKey: [name, id] }: Query) =>
      (lists && LISTS.includes(String(name))) ||
      (name === 'item' && items.has(Number(id))) ||
      alsoInvalidates(name);
    const read = invalidate(this.client, { predicate });
    if (!lists) return read;
    void collectionTree.refresh();
    countsBelow.refresh();
    savedSearchCounts.refresh();
    return read;
  }
}

function keyOf(kind: string, id: number): string {
  return `${kind}/${id}`;
}

/** Refreshes all lists after a change made here, without waiting for the event stream. */
export function refreshLists(): void {
  void refresher?.refreshLists();
}

/** Like `refreshLists`; ends when the lists that are shown are read. */
export async function readLists(): Promise<void> {
  await refresher?.refreshLists();
}

/** Like `refreshLists`, after a save that made the version `vid`. */
export function refreshAfterSave(kind: EntityKind, id: number, vid: number): void {
  refresher?.refreshAfterSave(kind, id, vid);
}
