import type { WatchedFile } from '../../api/types';

/** A page of the ledger, and the cursor of the next one. */
export interface LedgerPage {
  files: WatchedFile[];
  next?: string | null;
}
export type ReadLedgerPage = (after: string | null, signal: AbortSignal) => Promise<LedgerPage>;

/** Maximum number of cached pages. */
const MAX_CACHED_PAGES = 6;

/**
 * A ledger of any length, of which only the visible pages are in memory. The cursors of the others are kept,
 * so that they can be read again.
 */
export class LedgerPages {
  /** Cursor of each page. */
  #starts: (string | null)[] = [null];
  /** Pages by number, the least recently used first. */
  #cached = new Map<number, WatchedFile[]>();
  #reading = new Map<number, AbortController>();
  /** Number of files on the last page, once it is known. */
  #last: number | null = null;
  failure: Error | null = null;

  constructor(
    readonly size: number,
    readonly read: ReadLedgerPage,
    readonly onchange: () => void,
  ) {}

  /** Number of files, with an estimate for the next page. */
  get length(): number {
    return (this.#starts.length - 1) * this.size + (this.#last ?? (this.#cached.size === 0 ? 0 : this.size));
  }

  /** Whether the first page is loaded. */
  get loaded(): boolean {
    return this.#last !== null || this.#starts.length > 1;
  }

  /** Number of files in memory. */
  get cachedFiles(): number {
    return [...this.#cached.values()].reduce((sum, files) => sum + files.length, 0);
  }

  at(index: number): WatchedFile | undefined {
    return this.#cached.get(Math.floor(index / this.size))?.[index % this.size];
  }

  /** Loads the missing pages in view. */
  async load(first: number, last: number): Promise<void> {
    const from = Math.floor(first / this.size);
    const to = Math.min(Math.floor(last / this.size), this.#starts.length - 1);
    for (let page = from; page <= to; page += 1) {
      const files = this.#cached.get(page);
      if (files === undefined) await this.readPage(page);
      else this.cachePage(page, files);
    }
  }

  /** Reads the first page again and forgets the others. */
  async refresh(): Promise<void> {
    await this.readPage(0, true);
  }

  stop(): void {
    for (const controller of this.#reading.values()) controller.abort();
    this.#reading.clear();
  }

  private async readPage(page: number, isRefresh = false): Promise<void> {
    const start = this.#starts[page];
    if (start === undefined || this.#reading.has(page)) return;
    const controller = new AbortController();
    this.#reading.set(page, controller);
    try {
      this.storePage(page, await this.read(start, controller.signal), isRefresh);
      this.failure = null;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#reading.delete(page);
    }
    if (!controller.signal.aborted) this.onchange();
  }

  private storePage(page: number, { files, next }: LedgerPage, isRefresh: boolean): void {
    // Files were added or removed: later pages have other cursors.
    if (isRefresh || (this.#starts[page + 1] ?? next ?? null) !== (next ?? null)) this.forgetBelow(page);
    if (next) {
      this.#starts[page + 1] = next;
      if (page === this.#starts.length - 2) this.#last = null;
    } else {
      this.#last = files.length;
    }
    this.cachePage(page, files);
  }

  private forgetBelow(page: number): void {
    this.#starts.length = page + 1;
    for (const other of [...this.#cached.keys()]) if (other > page) this.#cached.delete(other);
  }

  private cachePage(page: number, files: WatchedFile[]): void {
    this.#cached.delete(page);
    this.#cached.set(page, files);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED_PAGES) return;
      this.#cached.delete(oldest);
    }
  }
}
