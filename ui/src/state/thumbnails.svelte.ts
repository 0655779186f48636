import { SvelteMap } from 'svelte/reactivity';
import { isPending, prioritizeJobs, readThumbnails } from '../api/jobs';
import { listItems } from '../api/read';
import { forEachConcurrently } from '../api/concurrency';
import type { Item, ItemPicture } from '../api/types';
import { onChange } from './live_updates';
import { repository } from './repository.svelte';

/** Delay in milliseconds before the items in view are requested while scrolling. */
const SCROLL_DELAY = 150;
const RETRY_DELAY = 5000;
/** Maximum number of items in one request. */
const MAX_REQUESTED = 200;
const MAX_CACHED = 2000;
const PAGE_ORDER = { view: 'all', sort: 'weight', order: 'asc' } as const;

/** A book that has no file of its own. */
function isBookWithoutFile({ is_collection, members, mime, picture }: Item): boolean {
  return !is_collection && members > 0 && !mime && !picture;
}

function isSame(some: number[], others: number[]): boolean {
  return some.length === others.length && some.every((nid) => others.includes(nid));
}

/**
 * The thumbnails of the items in view. Their jobs get priority, and they are polled until none is pending.
 */
class Thumbnails {
  readonly #states = new SvelteMap<number, ItemPicture>();
  /** First pages of books, by the ids of the books. */
  readonly #covers = new SvelteMap<number, Item | null>();
  #visible: number[] = [];
  #books: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #polling = new AbortController();

  /** State of an item's thumbnail; null where it was not requested. */
  stateOf(item: Item): ItemPicture['state'] | null {
    return this.#states.get(item.nid)?.state ?? null;
  }

  /** The thumbnail of an item; for a book without a file, that of its first page. */
  urlOf(item: Item): Item['picture'] {
    const own = this.#states.get(item.nid)?.picture ?? item.picture;
    const cover = own ? null : this.#covers.get(item.nid);
    return cover ? (this.#states.get(cover.nid)?.picture ?? cover.picture) : own;
  }

  /** Sets the items in view. */
  setVisible(items: Item[]): void {
    const nids = items.filter(({ mime }) => mime).map(({ nid }) => nid);
    const books = items.filter(isBookWithoutFile).map(({ nid }) => nid);
    if (isSame(nids, this.#visible) && isSame(books, this.#books)) return;
    this.#visible = nids.slice(0, MAX_REQUESTED);
    this.#books = books.slice(0, MAX_REQUESTED);
    this.schedule();
  }

  /** Follows changed files. Returns a function that stops it. */
  listen(): () => void {
    const stop = onChange(({ kind, parents }) => {
      if (kind === 'media' && parents.some((nid) => this.#visible.includes(nid) || this.isCover(nid)))
        this.schedule();
      // A page was added, removed or moved.
      if (kind === 'node' && parents.some((nid) => this.#covers.delete(nid))) this.schedule();
    });
    return () => {
      stop();
      this.cancel();
      this.#visible = [];
      this.#books = [];
    };
  }

  private isCover(nid: number): boolean {
    return this.#books.some((book) => this.#covers.get(book)?.nid === nid);
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.cancel();
      this.evict();
      this.#polling = new AbortController();
      void this.pollAll(this.#polling.signal);
    }, SCROLL_DELAY);
  }

  private cancel(): void {
    clearTimeout(this.#timer);
    this.#polling.abort();
  }

  private evict(): void {
    if (this.#states.size <= MAX_CACHED) return;
    for (const nid of this.#states.keys()) if (!this.#visible.includes(nid)) this.#states.delete(nid);
    for (const nid of this.#covers.keys()) if (!this.#books.includes(nid)) this.#covers.delete(nid);
  }

  private async pollAll(signal: AbortSignal): Promise<void> {
    await forEachConcurrently(this.#books, (book) => this.loadCover(book, signal), signal);
    if (signal.aborted) return;
    const covers = this.#books.flatMap((book) => this.#covers.get(book)?.nid ?? []);
    await this.poll([...this.#visible, ...covers].slice(0, MAX_REQUESTED), signal);
  }

  private async loadCover(book: number, signal: AbortSignal): Promise<void> {
    if (this.#covers.has(book)) return;
    try {
      const { items } = await listItems({ ...PAGE_ORDER, collection: book }, null, 1, signal);
      if (!signal.aborted) this.#covers.set(book, items[0] ?? null);
    } catch {
      // The next list requests it again.
    }
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
