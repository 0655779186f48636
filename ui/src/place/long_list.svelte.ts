import { QueryObserver, type QueryClient } from '@tanstack/svelte-query';
import { itemsPageQuery, itemTotalQuery } from '../api/queries';
import { PAGE, type listItemsAt } from '../api/read';
import type { ItemQuery } from '../api/types';
import { Rows } from './rows';

/** Milliseconds in which pages that are only passed are not asked for. */
const REST = 60;
/** Rows beyond those in sight that are read as well. */
const BEYOND = 40;
/** A very high window on a list of small rows has no more. */
const MOST_PAGES = 12;

const pageObserver = (client: QueryClient, query: ItemQuery, page: number) =>
  new QueryObserver(client, itemsPageQuery(query, page));
const totalObserver = (client: QueryClient, query: ItemQuery) =>
  new QueryObserver(client, itemTotalQuery(query));

/** What is followed, and how to stop. */
interface Followed<Observer> {
  observer: Observer;
  stop: () => void;
}

/** A page that is read. */
interface ReadPage {
  page: number;
  data: Awaited<ReturnType<typeof listItemsAt>>;
  dataUpdatedAt: number;
}

/**
 * A list of which only what is looked at is read and follows changes. All of it has its height at once, since the
 * server says how long it is and gives out any part of it.
 */
export class LongList {
  rows: Rows = $state.raw(Rows.NONE);
  /** Nothing of this list is read yet, and nothing of one before it stands in its place. */
  waiting = $state(true);
  /** Some of what is looked at is on its way. */
  fetching = $state(true);
  failure: Error | null = $state.raw(null);
  query: ItemQuery | null = $state.raw(null);
  readonly #client: QueryClient;
  readonly #pages = new Map<number, Followed<ReturnType<typeof pageObserver>>>();
  #count: Followed<ReturnType<typeof totalObserver>> | null = null;
  #stands: string | null = null;
  #seen: [number, number] = [0, 0];
  #pinned: number | null = null;
  /** The newest length that is no estimate, and when it was said. A page that was read before may say another one. */
  #exact: { total: number; at: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gathering = false;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Shows a list. Where it is the same `place` in another order or with other filters, the former rows stand until then. */
  show(query: ItemQuery | null, place: string): void {
    this.drop();
    this.query = query;
    if (this.#stands !== place) {
      this.#seen = [0, 0];
      this.#pinned = null;
      this.rows = Rows.NONE;
      this.waiting = true;
    }
    this.#stands = place;
    if (query) this.follow();
  }

  /** Says which rows are in sight. */
  look(first: number, last: number): void {
    this.#seen = [first, last];
    const missing = this.wanted().filter((page) => !this.#pages.has(page));
    if (missing.length === 0) return;
    const known = missing.every((page) => this.query && this.isKnown(page));
    if (known) return this.follow();
    this.#timer ??= setTimeout(() => this.follow(), REST);
  }

  /** Keeps what is around a row as well, for who goes through the items one by one; null: no longer. */
  pin(index: number | null): void {
    this.#pinned = index;
    if (this.query) this.follow();
  }

  retry(): void {
    for (const { observer } of this.#pages.values()) void observer.refetch();
  }

  /** To be called when the list is left. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { stop } of this.#pages.values()) stop();
    this.#pages.clear();
    this.#count?.stop();
    this.#count = null;
    this.#exact = null;
  }

  private isKnown(page: number): boolean {
    return (
      this.query !== null &&
      this.#client.getQueryData(itemsPageQuery(this.query, page).queryKey) !== undefined
    );
  }

  private wanted(): number[] {
    const spans: [number, number][] = [[this.#seen[0] - BEYOND, this.#seen[1] + BEYOND]];
    if (this.#pinned !== null) spans.push([this.#pinned - BEYOND, this.#pinned + BEYOND]);
    const last = Math.max(0, Math.ceil(this.rows.total / PAGE) - 1);
    const pages = new Set<number>();
    for (const [from, to] of spans) {
      const first = Math.min(last, Math.max(0, Math.floor(from / PAGE)));
      const end = Math.min(last, Math.floor(to / PAGE));
      for (let page = first; page <= end && pages.size < MOST_PAGES; page += 1) pages.add(page);
    }
    return [...pages];
  }

  /** Follows the pages that are looked at, and no others. */
  private follow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { query } = this;
    if (!query) return;
    const wanted = new Set(this.wanted());
    for (const [page, { stop }] of this.#pages) {
      if (wanted.has(page)) continue;
      this.#pages.delete(page);
      stop();
    }
    for (const page of wanted) {
      if (this.#pages.has(page)) continue;
      const observer = pageObserver(this.#client, query, page);
      this.#pages.set(page, { observer, stop: observer.subscribe(() => this.soon()) });
    }
    this.gather();
  }

  /** Several pages that come at once are shown at once. */
  private soon(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    queueMicrotask(() => {
      this.#gathering = false;
      this.gather();
    });
  }

  private gather(): void {
    if (!this.query) return;
    const results = [...this.#pages].map(
      ([page, { observer }]) => [page, observer.getCurrentResult()] as const,
    );
    this.fetching = results.some(([, { isFetching }]) => isFetching);
    const failed = results.find(([, { isError, data }]) => isError && !data);
    this.failure = failed?.[1].error ?? null;
    const read = results.flatMap(([page, { data, dataUpdatedAt }]) =>
      data ? [{ page, data, dataUpdatedAt }] : [],
    );
    if (read.length === 0 && failed) [this.rows, this.waiting] = [Rows.NONE, false];
    if (read.length === 0) return;
    this.waiting = false;
    const pages = new Map(read.map(({ page, data }) => [page, data.items]));
    this.rows = new Rows(this.totalOf(read), pages);
    // A list that has become shorter is looked at elsewhere.
    if (this.wanted().some((page) => !this.#pages.has(page)))
      this.#timer ??= setTimeout(() => this.follow(), REST);
  }

  /** How long the list is: what was counted counts for more than an estimate, and the newer for more than the older. */
  private totalOf(read: ReadPage[]): number {
    const newest = read.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt);
    const exact = newest.find(({ data }) => data.total_is_exact);
    if (exact && exact.dataUpdatedAt >= (this.#exact?.at ?? 0))
      this.#exact = { total: exact.data.total, at: exact.dataUpdatedAt };
    const latest = newest[0]?.dataUpdatedAt ?? 0;
    if (this.#exact && (exact || this.#exact.at >= latest)) return this.#exact.total;
    const seen = Math.max(
      ...read.map(({ page, data }) => page * PAGE + data.items.length + (data.next ? 1 : 0)),
    );
    return Math.max(seen, this.counted() ?? newest[0]?.data.total ?? 0);
  }

  /** Has a list counted of which the server only estimates the length. */
  private counted(): number | undefined {
    const { query } = this;
    if (!query) return undefined;
    if (!this.#count) {
      const observer = totalObserver(this.#client, query);
      this.#count = { observer, stop: observer.subscribe(() => this.soon()) };
    }
    return this.#count.observer.getCurrentResult().data;
  }
}
