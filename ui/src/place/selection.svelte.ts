import { listItemIds, MOST_IDS } from '../api/read';
import type { ItemQuery } from '../api/types';
import { toaster } from '../parts/toast.svelte';
import { Chosen } from './chosen.svelte';
import type { Rows } from './rows';

/** A list of which some rows are read. */
interface Listed {
  rows: Rows;
  query: ItemQuery | null;
}

/** Rows that are chosen and of which the numbers are still being read. */
interface Range {
  from: number;
  to: number;
  /** How many numbers are there. */
  read: number;
}

/** Which items are chosen, and where the keyboard stands. Two different things. */
export class Selection {
  readonly chosen = new Chosen();
  /** What was chosen across rows that are not read: their numbers are on the way. */
  range: Range | null = $state.raw(null);
  #cursor = $state(0);
  /** The item there, which is followed when others come and go. */
  #standing: number | null = null;
  /** Where a range begins. */
  #anchor: { index: number; nid: number | null } = { index: 0, nid: null };
  /** A row to be chosen as soon as it is read. */
  #coming: number | null = null;
  #stop: AbortController | null = null;
  #reading: Promise<boolean> | null = null;

  /** Position of the keyboard in the list. */
  get cursor(): number {
    return this.#cursor;
  }

  /** How many are chosen. */
  get count(): number {
    return this.range ? this.range.to - this.range.from + 1 : this.chosen.size;
  }

  /** Whether the item at a place is chosen. */
  has(nid: number, index: number): boolean {
    return this.range ? index >= this.range.from && index <= this.range.to : this.chosen.has(nid);
  }

  /** Puts the keyboard on a row, whatever is chosen. */
  stand(index: number, nid: number | null): void {
    this.#coming = null;
    [this.#cursor, this.#standing] = [index, nid];
  }

  private begin(index: number, nid: number | null): void {
    this.stop();
    this.stand(index, nid);
    this.#anchor = { index, nid };
  }

  /** Chooses one item alone. */
  only(nid: number, index: number): void {
    this.begin(index, nid);
    this.chosen.set([nid]);
  }

  /** Chooses the item of a row alone, as soon as the row is read. */
  onlyAt(index: number): void {
    this.begin(index, null);
    this.chosen.clear();
    this.#coming = index;
  }

  toggle(nid: number, index: number): void {
    this.begin(index, nid);
    if (!this.chosen.delete(nid)) this.chosen.add(nid);
  }

  /** Chooses everything from the anchor to here. */
  extend(list: Listed, index: number): void {
    const at = this.#anchor.index;
    this.stand(index, list.rows.at(index)?.nid ?? null);
    this.span(list, Math.min(at, index), Math.max(at, index));
  }

  all(list: Listed): void {
    if (list.rows.total > 0) this.span(list, 0, list.rows.total - 1);
  }

  private span(list: Listed, from: number, to: number): void {
    this.stop();
    const read = list.rows.between(from, to);
    if (read) this.chosen.set(read.map(({ nid }) => nid));
    else if (list.query) this.#reading = this.read(list.query, { from, to, read: 0 });
  }

  /** Reads the numbers of a range; whether it came to its end. */
  private async read(query: ItemQuery, range: Range): Promise<boolean> {
    const stop = (this.#stop = new AbortController());
    this.range = range;
    try {
      const nids = await nidsOf(query, range, stop.signal, (read) => (this.range = { ...range, read }));
      if (stop.signal.aborted) return false;
      this.range = null;
      this.chosen.set(nids);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      this.range = null;
      toaster.warn(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** No more is read for a range; what was chosen before it still is. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#reading = null;
    this.range = null;
  }

  /** Does something with all that are chosen, as soon as their numbers are known. */
  act(run: (nids: number[]) => void): void {
    if (!this.#reading) return run([...this.chosen]);
    void this.#reading.then((read) => read && run([...this.chosen]));
  }

  /** Chooses these and no others. */
  set(nids: number[]): void {
    this.stop();
    this.chosen.set(nids);
  }

  clear(): void {
    this.set([]);
  }

  /** After a list was read whole: what is gone is no longer chosen. */
  keepOnly(nids: Set<number>): void {
    const kept = [...this.chosen].filter((nid) => nids.has(nid));
    if (kept.length < this.chosen.size) this.chosen.set(kept);
  }

  /** Follows the rows: the keyboard stays on its item. Whether something was chosen that had to be read first. */
  follow(rows: Rows): boolean {
    const coming = this.#coming === null ? undefined : rows.at(this.#coming);
    if (this.#coming !== null && coming) {
      this.only(coming.nid, this.#coming);
      return true;
    }
    const anchor = this.#anchor.nid === null ? -1 : rows.indexOf(this.#anchor.nid);
    if (anchor >= 0) this.#anchor.index = anchor;
    const at = this.#standing === null ? -1 : rows.indexOf(this.#standing);
    if (at >= 0) this.#cursor = at;
    else if (rows.total > 0) this.#cursor = Math.min(this.#cursor, rows.total - 1);
    return false;
  }
}

async function nidsOf(
  query: ItemQuery,
  { from, to }: Range,
  signal: AbortSignal,
  told: (read: number) => void,
): Promise<number[]> {
  const nids: number[] = [];
  let start: { after: string } | { offset: number } | null = { offset: from };
  while (start && nids.length <= to - from) {
    const missing = to - from + 1 - nids.length;
    const page: Awaited<ReturnType<typeof listItemIds>> = await listItemIds(
      query,
      start,
      Math.min(MOST_IDS, missing),
      signal,
    );
    for (const nid of page.nids) nids.push(nid);
    told(nids.length);
    start = page.next ? { after: page.next } : null;
  }
  return nids;
}

export const selection = new Selection();
