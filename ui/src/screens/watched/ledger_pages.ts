import type { WatchedFile } from '../../api/types';

/** A page of a ledger: its files, and where the next one starts. */
export interface LedgerPage {
  files: WatchedFile[];
  next?: string | null;
}
export type ReadPage = (after: string | null, signal: AbortSignal) => Promise<LedgerPage>;

/** Pages whose files are kept. */
const KEPT = 6;

/**
 * A ledger as long as a folder is full, of which only the pages that are looked at are in memory. Of the
 * others it knows where they start, so that they can be read again.
 */
export class LedgerPages {
  /** Where each page starts; the first one at the top. */
  #starts: (string | null)[] = [null];
  /** By number, the one that was looked at last at the end. */
  #kept = new Map<number, WatchedFile[]>();
  #reading = new Map<number, AbortController>();
  /** Files of the last page, once that is known to be the last. */
  #last: number | null = null;
  failure: Error | null = null;

  constructor(
    readonly size: number,
    readonly read: ReadPage,
    readonly onchange: () => void,
  ) {}

  /** Files that are known to be there, those of the page that comes next guessed. */
  get length(): number {
    return (this.#starts.length - 1) * this.size + (this.#last ?? (this.#kept.size === 0 ? 0 : this.size));
  }

  /** Whether the first page has been read. */
  get begun(): boolean {
    return this.#last !== null || this.#starts.length > 1;
  }

  /** How many files are in memory. */
  get held(): number {
    return [...this.#kept.values()].reduce((sum, files) => sum + files.length, 0);
  }

  at(index: number): WatchedFile | undefined {
    return this.#kept.get(Math.floor(index / this.size))?.[index % this.size];
  }

  /** Reads what is missing of what is looked at. */
  async look(first: number, last: number): Promise<void> {
    const from = Math.floor(first / this.size);
    const to = Math.min(Math.floor(last / this.size), this.#starts.length - 1);
    for (let page = from; page <= to; page += 1) {
      const files = this.#kept.get(page);
      if (files === undefined) await this.readPage(page);
      else this.keep(page, files);
    }
  }

  /** Reads the newest files again. What stood further down is forgotten. */
  async refresh(): Promise<void> {
    await this.readPage(0, true);
  }

  stop(): void {
    for (const controller of this.#reading.values()) controller.abort();
    this.#reading.clear();
  }

  private async readPage(page: number, anew = false): Promise<void> {
    const start = this.#starts[page];
    if (start === undefined || this.#reading.has(page)) return;
    const controller = new AbortController();
    this.#reading.set(page, controller);
    try {
      this.put(page, await this.read(start, controller.signal), anew);
      this.failure = null;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#reading.delete(page);
    }
    if (!controller.signal.aborted) this.onchange();
  }

  private put(page: number, { files, next }: LedgerPage, anew: boolean): void {
    // Files came or went meanwhile: the pages below begin elsewhere now.
    if (anew || (this.#starts[page + 1] ?? next ?? null) !== (next ?? null)) this.forgetBelow(page);
    if (next) {
      this.#starts[page + 1] = next;
      if (page === this.#starts.length - 2) this.#last = null;
    } else {
      this.#last = files.length;
    }
    this.keep(page, files);
  }

  private forgetBelow(page: number): void {
    this.#starts.length = page + 1;
    for (const other of [...this.#kept.keys()]) if (other > page) this.#kept.delete(other);
  }

  private keep(page: number, files: WatchedFile[]): void {
    this.#kept.delete(page);
    this.#kept.set(page, files);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(oldest);
    }
  }
}
