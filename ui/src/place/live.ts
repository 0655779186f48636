import type { QueryClient } from '@tanstack/svelte-query';
import { listen } from '../api/events';
import { forget } from '../api/labels.svelte';
import { readAgain } from '../api/read_again';
import type { Change } from '../api/types';
import { tree } from './collection_tree.svelte';
import { repository } from './repository.svelte';

/** Many changes in a row are shown together. */
const GATHER = 350;
const AT_MOST_EVERY = 1500;

type ChangeListener = (change: Change) => void;
const listeners = new Set<ChangeListener>();

/** Hears of every change of the repository while mounted. Returns how to stop. */
export function onChange(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the page that follows changes has read; null before it does. */
let shown: QueryClient | null = null;

/** Follows the stream of changes and reads again what they touch. Returns how to stop. */
export function followChanges(client: QueryClient): () => void {
  const controller = new AbortController();
  shown = client;
  const refresh = new Refresher(client);
  let wasOpen: boolean | null = null;
  void listen(
    controller.signal,
    (change) => {
      forget(change.kind, change.entity_id);
      for (const listener of listeners) listener(change);
      refresh.touch(change);
    },
    (open) => {
      repository.live = open;
      // What happened while the line was down is not told again.
      if (open && wasOpen === false) refresh.everything();
      wasOpen = open;
    },
  );
  return () => controller.abort();
}

class Refresher {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #items = new Set<number>();
  #lists = false;

  constructor(readonly client: QueryClient) {}

  touch(change: Change): void {
    if (change.kind === 'node') this.#items.add(change.entity_id);
    for (const parent of change.parents) this.#items.add(parent);
    // What is made of files changes no list; the pictures in it are followed by themselves.
    this.#lists ||= change.door !== 'derivative';
    this.soon();
  }

  everything(): void {
    void readAgain(this.client);
    void tree.refresh();
  }

  /** Reads again what shows items, after the page itself changed something. */
  soon(): void {
    const wait = Math.max(GATHER, this.#last + AT_MOST_EVERY - Date.now());
    this.#timer ??= setTimeout(() => this.run(), wait);
  }

  private run(): void {
    this.#timer = undefined;
    this.#last = Date.now();
    const items = this.#items;
    this.#items = new Set();
    for (const nid of items) void readAgain(this.client, ['item', nid]);
    if (!this.#lists) return;
    this.#lists = false;
    for (const name of ['items', 'counts', 'media', 'terms', 'users', 'trash']) {
      void readAgain(this.client, [name]);
    }
    void tree.refresh();
  }
}

/** Reads lists again after a change made here, without waiting for the stream. */
export function refreshLists(client: QueryClient): void {
  for (const name of ['items', 'counts', 'media', 'item', 'terms', 'users', 'trash', 'watched']) {
    void readAgain(client, [name]);
  }
  void tree.refresh();
}

/** As `refreshLists`, for what is done outside of a component. */
export function refreshShown(): void {
  if (shown) refreshLists(shown);
}
