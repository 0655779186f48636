import { SvelteMap } from 'svelte/reactivity';
import { isUnderway, lookAt, readPictures } from '../api/jobs';
import { listItems } from '../api/read';
import { forEach } from '../api/several';
import type { Item, ItemPicture } from '../api/types';
import { onChange } from './live';
import { repository } from './repository.svelte';

/** What is scrolled past is not asked for. */
const REST = 150;
/** After a failure. */
const PAUSE = 5000;
/** Items in one question. */
const MOST_ASKED = 200;
/** Items whose pictures are remembered. */
const MOST_KNOWN = 2000;
/** The pages of a book in their order. */
const PAGES = { view: 'all', sort: 'weight', order: 'asc' } as const;

/** A book that shows nothing of its own. */
function isBareBook({ is_collection, members, mime, picture }: Item): boolean {
  return !is_collection && members > 0 && !mime && !picture;
}

function isSame(some: number[], others: number[]): boolean {
  return some.length === others.length && some.every((nid) => others.includes(nid));
}

/**
 * The small pictures of the items that a list shows. They are said to be looked at, so that theirs are made first,
 * and are followed as long as some are still to come.
 */
class Pictures {
  readonly #known = new SvelteMap<number, ItemPicture>();
  /** The first pages of books, by the numbers of the books. */
  readonly #covers = new SvelteMap<number, Item | null>();
  #shown: number[] = [];
  #books: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #following = new AbortController();

  /** How the picture of an item stands; null where it was never asked. */
  stateOf(item: Item): ItemPicture['state'] | null {
    return this.#known.get(item.nid)?.state ?? null;
  }

  /** The picture of an item; of a book without a file of its own, that of its first page. */
  pictureOf(item: Item): Item['picture'] {
    const own = this.#known.get(item.nid)?.picture ?? item.picture;
    const cover = own ? null : this.#covers.get(item.nid);
    return cover ? (this.#known.get(cover.nid)?.picture ?? cover.picture) : own;
  }

  /** Says which items are to be seen now. */
  show(items: Item[]): void {
    const nids = items.filter(({ mime }) => mime).map(({ nid }) => nid);
    const books = items.filter(isBareBook).map(({ nid }) => nid);
    if (isSame(nids, this.#shown) && isSame(books, this.#books)) return;
    this.#shown = nids.slice(0, MOST_ASKED);
    this.#books = books.slice(0, MOST_ASKED);
    this.ask();
  }

  /** Hears of files that change. Returns how to stop. */
  listen(): () => void {
    const stop = onChange(({ kind, parents }) => {
      if (kind === 'media' && parents.some((nid) => this.#shown.includes(nid) || this.isCover(nid)))
        this.ask();
      // A page came, went or has another place.
      if (kind === 'node' && parents.some((nid) => this.#covers.delete(nid))) this.ask();
    });
    return () => {
      stop();
      this.leave();
      this.#shown = [];
      this.#books = [];
    };
  }

  private isCover(nid: number): boolean {
    return this.#books.some((book) => this.#covers.get(book)?.nid === nid);
  }

  private ask(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.leave();
      this.forget();
      this.#following = new AbortController();
      void this.followAll(this.#following.signal);
    }, REST);
  }

  private leave(): void {
    clearTimeout(this.#timer);
    this.#following.abort();
  }

  private forget(): void {
    if (this.#known.size <= MOST_KNOWN) return;
    for (const nid of this.#known.keys()) if (!this.#shown.includes(nid)) this.#known.delete(nid);
    for (const nid of this.#covers.keys()) if (!this.#books.includes(nid)) this.#covers.delete(nid);
  }

  private async followAll(signal: AbortSignal): Promise<void> {
    await forEach(this.#books, (book) => this.readCover(book, signal), signal);
    if (signal.aborted) return;
    const covers = this.#books.flatMap((book) => this.#covers.get(book)?.nid ?? []);
    await this.follow([...this.#shown, ...covers].slice(0, MOST_ASKED), signal);
  }

  private async readCover(book: number, signal: AbortSignal): Promise<void> {
    if (this.#covers.has(book)) return;
    try {
      const { items } = await listItems({ ...PAGES, collection: book }, null, 1, signal);
      if (!signal.aborted) this.#covers.set(book, items[0] ?? null);
    } catch {
      // Asked again with the next list.
    }
  }

  private async follow(nids: number[], signal: AbortSignal): Promise<void> {
    let [left, since, looked]: [number[], number | null, boolean] = [nids, null, !repository.user];
    while (left.length > 0 && !signal.aborted) {
      try {
        if (!looked) await lookAt(left, signal);
        looked = true;
        const { pictures, version } = await readPictures(left, since, signal);
        if (signal.aborted) return;
        for (const picture of pictures) this.#known.set(picture.nid, picture);
        since = version;
        left = pictures.filter(({ state }) => isUnderway(state)).map(({ nid }) => nid);
      } catch {
        // The server may be away; the list itself says so.
        if (!signal.aborted) await new Promise((done) => setTimeout(done, PAUSE));
      }
    }
  }
}

export const pictures = new Pictures();
