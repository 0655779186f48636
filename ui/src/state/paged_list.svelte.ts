import { QueryObserver, type QueryClient } from '@tanstack/svelte-query';
import { itemsPageQuery, itemTotalQuery } from '../api/queries';
import { forEachConcurrently } from '../api/concurrency';
import { listItemsFromOffset, PAGE_SIZE, readItemOffset } from '../api/read';
import type { Item, ItemQuery } from '../api/types';
import { Arrangement, keepPlaces, type LocatedItem } from './arrangement';
import { ItemRows } from './item_rows';

/** Delay in milliseconds before the pages in view are fetched while scrolling. */
const SCROLL_DELAY = 60;
/** Rows before and after the visible ones that are loaded as well. */
const OVERSCAN = 40;
/** Rows before and after the visible ones that are looked for where a change has moved them out of the loaded pages. */
const KEPT_AROUND = 20;
/** Maximum number of items that are looked for at once. */
const MAX_LOOKUPS = 100;
/** Maximum number of pages that are loaded at once. */
const MAX_PAGES = 12;

const pageObserver = (client: QueryClient, query: ItemQuery, page: number) =>
  new QueryObserver(client, itemsPageQuery(query, page));
const totalObserver = (client: QueryClient, query: ItemQuery) =>
  new QueryObserver(client, itemTotalQuery(query));

interface Subscription<Observer> {
  observer: Observer;
  stop: () => void;
}

interface LoadedPage {
  page: number;
  data: Awaited<ReturnType<typeof listItemsFromOffset>>;
  dataUpdatedAt: number;
}

/**
 * A list that loads only the pages in view and keeps them up to date. Its full height is known from the
 * start, since the server answers its length and any of its pages. Items stay at their places until the list is opened,
 * sorted or filtered anew.
 */
export class PagedList {
  rows: ItemRows = $state.raw(ItemRows.EMPTY);
  /** Whether nothing of this list, nor of the list displayed before it, can be displayed. */
  loading = $state(true);
  /** Whether a page in view is being fetched. */
  fetching = $state(true);
  failure: Error | null = $state.raw(null);
  query: ItemQuery | null = $state.raw(null);
  /** The items that will move when the list is sorted again. */
  arrangement: Arrangement = $state.raw(Arrangement.NONE);
  readonly #client: QueryClient;
  readonly #pages = new Map<number, Subscription<ReturnType<typeof pageObserver>>>();
  #count: Subscription<ReturnType<typeof totalObserver>> | null = null;
  #scope: string | null = null;
  #visible: [number, number] = [0, 0];
  #pinned: number | null = null;
  /** The latest exact length and its time. A page that was fetched earlier may contain another one. */
  #exact: { total: number; at: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #updateQueued = false;
  /** The displayed state of each page. */
  readonly #displayed = new Map<number, LoadedPage>();
  /** Whether the displayed rows were up to date once, so that items keep their places. */
  #isOpened = false;
  #arranging = 0;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /**
   * Sets the query. With the same `scopeKey`, the former rows are displayed until the new ones are loaded.
   */
  setQuery(query: ItemQuery | null, scopeKey: string): void {
    this.dispose();
    this.query = query;
    this.forgetPlaces();
    if (this.#scope !== scopeKey) {
      this.#visible = [0, 0];
      this.#pinned = null;
      this.rows = ItemRows.EMPTY;
      this.loading = true;
    }
    this.#scope = scopeKey;
    if (query) this.subscribe();
  }

  /** Sets the visible rows. */
  setVisible(first: number, last: number): void {
    this.#visible = [first, last];
    const missing = this.wantedPages().filter((page) => !this.#pages.has(page));
    if (missing.length === 0) return;
    const known = missing.every((page) => this.query && this.isCached(page));
    if (known) return this.subscribe();
    this.#timer ??= setTimeout(() => this.subscribe(), SCROLL_DELAY);
  }

  /** Keeps the rows around an index loaded, for stepping through items; null: no longer. */
  pin(index: number | null): void {
    this.#pinned = index;
    if (this.query) this.subscribe();
  }

  /** Displays the server's order. */
  sortAgain(): void {
    this.forgetPlaces();
    this.update();
  }

  private forgetPlaces(): void {
    this.#arranging += 1;
    this.arrangement = Arrangement.NONE;
    this.#isOpened = false;
    this.#displayed.clear();
  }

  retry(): void {
    for (const { observer } of this.#pages.values()) void observer.refetch();
  }

  /** Call this when the list is no longer displayed. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { stop } of this.#pages.values()) stop();
    this.#pages.clear();
    this.#count?.stop();
    this.#count = null;
    this.#exact = null;
  }

  private isCached(page: number): boolean {
    return (
      this.query !== null &&
      this.#client.getQueryData(itemsPageQuery(this.query, page).queryKey) !== undefined
    );
  }

  private wantedPages(): number[] {
    const spans: [number, number][] = [[this.#visible[0] - OVERSCAN, this.#visible[1] + OVERSCAN]];
    if (this.#pinned !== null) spans.push([this.#pinned - OVERSCAN, this.#pinned + OVERSCAN]);
    const last = Math.max(0, Math.ceil(this.rows.total / PAGE_SIZE) - 1);
    const pages = new Set<number>();
    for (const span of spans) {
      const [from = 0, to = 0] = span.map((index) => this.arrangement.serverIndex(Math.max(0, index)));
      const first = Math.min(last, Math.floor(from / PAGE_SIZE));
      const end = Math.min(last, Math.floor(to / PAGE_SIZE));
      for (let page = first; page <= end && pages.size < MAX_PAGES; page += 1) pages.add(page);
    }
    return [...pages];
  }

  /** Subscribes to the pages in view, and to no others. */
  private subscribe(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { query } = this;
    if (!query) return;
    const wanted = new Set(this.wantedPages());
    for (const [page, { stop }] of this.#pages) {
      if (wanted.has(page)) continue;
      this.#pages.delete(page);
      stop();
    }
    for (const page of wanted) {
      if (this.#pages.has(page)) continue;
      const observer = pageObserver(this.#client, query, page);
      this.#pages.set(page, { observer, stop: observer.subscribe(() => this.scheduleUpdate()) });
    }
    this.update();
  }

  /** Pages that arrive together cause one update. */
  private scheduleUpdate(): void {
    if (this.#updateQueued) return;
    this.#updateQueued = true;
    queueMicrotask(() => {
      this.#updateQueued = false;
      this.update();
    });
  }

  private update(): void {
    if (!this.query) return;
    const results = [...this.#pages].map(
      ([page, { observer }]) => [page, observer.getCurrentResult()] as const,
    );
    this.fetching = results.some(([, { isFetching }]) => isFetching);
    const failed = results.find(([, { isError, data }]) => isError && !data);
    this.failure = failed?.[1].error ?? null;
    // Pages that are fetched again are replaced together: an item may have moved from one to another.
    const isRefetching = results.some(([, { data, isFetching }]) => data && isFetching);
    const read = results.flatMap(([page, { data, dataUpdatedAt }]) => {
      const former = isRefetching ? this.#displayed.get(page) : undefined;
      return former ?? (data ? { page, data, dataUpdatedAt } : []);
    });
    if (read.length === 0 && failed) [this.rows, this.loading] = [ItemRows.EMPTY, false];
    if (read.length === 0) return;
    this.loading = false;
    const pages = new Map(read.map(({ page, data }) => [page, data.items]));
    this.arrange(new ItemRows(this.computeTotal(read), pages), read);
    // In a list that has become shorter, other pages are in view.
    if (this.wantedPages().some((page) => !this.#pages.has(page)))
      this.#timer ??= setTimeout(() => this.subscribe(), SCROLL_DELAY);
  }

  /** Displays newer rows. Items that a change has moved keep their places, unless the user orders them by hand. */
  private arrange(fresh: ItemRows, read: LoadedPage[]): void {
    const turn = ++this.#arranging;
    const isNewer = read.some(({ page, data }) => (this.#displayed.get(page)?.data ?? data) !== data);
    const show = (elsewhere: ReadonlyMap<number, LocatedItem>) => {
      if (turn !== this.#arranging) return;
      const isKept = this.#isOpened && this.query?.sort !== 'weight';
      this.#displayed.clear();
      for (const one of read) this.#displayed.set(one.page, one);
      this.arrangement = isKept
        ? keepPlaces(this.rows, this.arrangement, fresh, elsewhere)
        : Arrangement.NONE;
      this.rows = this.arrangement.apply(fresh);
      this.#isOpened ||= !this.fetching;
    };
    // Without newer pages, a kept item that is no longer loaded is where it was.
    if (!isNewer) return show(new Map(this.arrangement.kept.map((kept) => [kept.item.nid, kept])));
    const missing = this.#isOpened ? this.missingItems(fresh) : [];
    if (missing.length === 0) show(new Map());
    else void this.locate(missing).then(show);
  }

  /** Displayed items that a change may have moved to places that are not loaded. */
  private missingItems(fresh: ItemRows): Item[] {
    if (fresh.isComplete || this.query?.sort === 'weight') return [];
    const [first, last] = this.#visible;
    const missing: Item[] = [];
    for (const [index, item] of this.rows.entries()) {
      const isNear = index >= first - KEPT_AROUND && index <= last + KEPT_AROUND;
      const isWanted = this.arrangement.has(item.nid) || (isNear && fresh.at(index) !== undefined);
      if (isWanted && fresh.indexOf(item.nid) < 0) missing.push(item);
    }
    return missing.slice(0, MAX_LOOKUPS);
  }

  /** Asks the server for items and their places. Those that did not change were only moved along by others. */
  private async locate(items: Item[]): Promise<Map<number, LocatedItem>> {
    const { query } = this;
    const found = new Map<number, LocatedItem>();
    if (!query) return found;
    await forEachConcurrently(items, async ({ nid, vid }) => {
      try {
        const at = await readItemOffset(query, nid);
        const item = at === null ? undefined : (await listItemsFromOffset(query, at, 1)).items[0];
        if (at === null || item?.nid !== nid) return;
        if (item.vid !== vid || this.arrangement.has(nid)) found.set(nid, { item, at });
      } catch {
        // It leaves the list, as an item that was deleted does.
      }
    });
    return found;
  }

  /** The length of the list: an exact one precedes an estimate, a newer one an older one. */
  private computeTotal(read: LoadedPage[]): number {
    const newest = read.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt);
    const exact = newest.find(({ data }) => data.total_is_exact);
    if (exact && exact.dataUpdatedAt >= (this.#exact?.at ?? 0))
      this.#exact = { total: exact.data.total, at: exact.dataUpdatedAt };
    const latest = newest[0]?.dataUpdatedAt ?? 0;
    if (this.#exact && (exact || this.#exact.at >= latest)) return this.#exact.total;
    const seen = Math.max(
      ...read.map(({ page, data }) => page * PAGE_SIZE + data.items.length + (data.next ? 1 : 0)),
    );
    return Math.max(seen, this.exactTotal() ?? newest[0]?.data.total ?? 0);
  }

  /** Requests the exact length where the server has answered an estimate. */
  private exactTotal(): number | undefined {
    const { query } = this;
    if (!query) return undefined;
    if (!this.#count) {
      const observer = totalObserver(this.#client, query);
      this.#count = { observer, stop: observer.subscribe(() => this.scheduleUpdate()) };
    }
    return this.#count.observer.getCurrentResult().data;
  }
}
