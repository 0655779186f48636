import { SvelteMap } from 'svelte/reactivity';
import { isPending, prioritizeJobs, readThumbnails } from '../api/jobs';
import type { Item, ItemPicture } from '../api/types';
import { onChange } from './live_updates';
import { repository } from './repository.svelte';

/** Delay in milliseconds before the items in view are requested while scrolling. */
const SCROLL_DELAY = 150;
const RETRY_DELAY = 5000;
/** Maximum number of items in one request. */
const MAX_REQUESTED = 200;
const MAX_CACHED = 2000;

function isSame(some: number[], others: number[]): boolean {
  return some.length === others.length && some.every((nid) => others.includes(nid));
}

/**
 * The thumbnails of the items in view. Their jobs get priority, and they are polled until none is pending.
 */
class Thumbnails {
  readonly #states = new SvelteMap<number, ItemPicture>();
  #visible: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #polling = new AbortController();

  /** State of an item's thumbnail; null where it was not requested. */
  stateOf(item: Item): ItemPicture['state'] | null {
    return this.#states.get(item.nid)?.state ?? null;
  }

  /** The thumbnail of an item; for a collection or a book without a file, that of an item below it. */
  urlOf(item: Item): Item['picture'] {
    return this.#states.get(item.nid)?.picture ?? item.picture;
  }

  /** Sets the items in view. */
  setVisible(items: Item[]): void {
    const nids = items.filter(({ mime, members }) => mime || members > 0).map(({ nid }) => nid);
    if (isSame(nids, this.#visible)) return;
    this.#visible = nids.slice(0, MAX_REQUESTED);
    this.schedule();
  }

  /** Follows changed files and members. Returns a function that stops it. */
  listen(): () => void {
    const stop = onChange(({ kind, parents }) => {
      const isShown = parents.some((nid) => this.#visible.includes(nid));
      if (isShown && (kind === 'media' || kind === 'node')) this.schedule();
    });
    return () => {
      stop();
      this.cancel();
      this.#visible = [];
    };
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.cancel();
      this.evict();
      this.#polling = new AbortController();
      void this.poll(this.#visible, this.#polling.signal);
    }, SCROLL_DELAY);
  }

  private cancel(): void {
    clearTimeout(this.#timer);
    this.#polling.abort();
  }

  private evict(): void {
    if (this.#states.size <= MAX_CACHED) return;
    for (const nid of this.#states.keys()) if (!this.#visible.includes(nid)) this.#states.delete(nid);
  }

  private async poll(nids: number[], signal: AbortSignal): Promise<void> {
    let [remaining, since, prioritized]: [number[], number | null, boolean] = [nids, null, !repository.user];
    while (remaining.length > 0 && !signal.aborted) {
      try {
        if (!prioritized) await prioritizeJobs(remaining, signal);
        prioritized = true;
        const { pictures, version } = await readThumbnails(remaining, since, signal);
        if (signal.aborted) return;
        for (const picture of pictures) this.#states.set(picture.nid, picture);
        since = version;
        remaining = pictures.filter(({ state }) => isPending(state)).map(({ nid }) => nid);
      } catch {
        // The list itself reports an unreachable server.
        if (!signal.aborted) await new Promise((done) => setTimeout(done, RETRY_DELAY));
      }
    }
  }
}

export const thumbnails = new Thumbnails();
