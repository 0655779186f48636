import { listItemIds, MAX_IDS } from '../api/read';
import type { ItemQuery } from '../api/types';
import { toaster } from './toast.svelte';
import { IdSet } from './id_set.svelte';
import type { Arrangement } from './arrangement';
import type { ItemRows } from './item_rows';

interface SelectableList {
  rows: ItemRows;
  query: ItemQuery | null;
  arrangement: Arrangement;
}

/** A selected range whose ids are still being read. */
interface PendingRange {
  from: number;
  to: number;
  /** Number of ids read so far. */
  loaded: number;
}

/** The selected items, and the row that has the keyboard focus (the cursor). */
export class Selection {
  readonly ids = new IdSet();
  /** A selected range with rows that are not loaded, while its ids are read. */
  range: PendingRange | null = $state.raw(null);
  #cursor = $state(0);
  /** The item at the cursor; the cursor follows it when rows are added or removed. */
  #cursorItem: number | null = null;
  #anchor: { index: number; nid: number | null } = { index: 0, nid: null };
  /** Index of a row that is selected as soon as it is loaded. */
  #pendingIndex: number | null = null;
  #abort: AbortController | null = null;
  #loading: Promise<boolean> | null = null;

  /** Index of the cursor. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The item at the cursor; null where it is not loaded. */
  get cursorItem(): number | null {
    return this.#cursorItem;
  }

  /** Number of selected items. */
  get count(): number {
    return this.range ? this.range.to - this.range.from + 1 : this.ids.size;
  }

  has(nid: number, index: number): boolean {
    return this.range ? index >= this.range.from && index <= this.range.to : this.ids.has(nid);
  }

  /** Moves the cursor without changing the selection. */
  setCursor(index: number, nid: number | null): void {
    this.#pendingIndex = null;
    [this.#cursor, this.#cursorItem] = [index, nid];
  }

  private setAnchor(index: number, nid: number | null): void {
    this.cancelRange();
    this.setCursor(index, nid);
    this.#anchor = { index, nid };
  }

  /** Selects one item. */
  selectOnly(nid: number, index: number): void {
    this.setAnchor(index, nid);
    this.ids.replace([nid]);
  }

  /** Selects one row as soon as it is loaded. */
  selectOnlyAt(index: number): void {
    this.setAnchor(index, null);
    this.ids.clear();
    this.#pendingIndex = index;
  }

  toggle(nid: number, index: number): void {
    this.setAnchor(index, nid);
    if (!this.ids.delete(nid)) this.ids.add(nid);
  }

  /** Selects everything between the anchor and an index. */
  extend(list: SelectableList, index: number): void {
    const at = this.#anchor.index;
    this.setCursor(index, list.rows.at(index)?.nid ?? null);
    this.selectRange(list, Math.min(at, index), Math.max(at, index));
  }

  selectAll(list: SelectableList): void {
    if (list.rows.total > 0) this.selectRange(list, 0, list.rows.total - 1);
  }

  private selectRange(list: SelectableList, from: number, to: number): void {
    this.cancelRange();
    const read = list.rows.slice(from, to);
    if (read) this.ids.replace(read.map(({ nid }) => nid));
    else if (list.query)
      this.#loading = this.loadRange(list.query, { from, to, loaded: 0 }, list.arrangement);
  }

  /** Reads the ids of a range. Answers whether it was completed. */
  private async loadRange(query: ItemQuery, range: PendingRange, arrangement: Arrangement): Promise<boolean> {
    const stop = (this.#abort = new AbortController());
    this.range = range;
    try {
      const [from, to] = [arrangement.serverIndex(range.from), arrangement.serverIndex(range.to)];
      const read = await loadIds(
        query,
        { from, to },
        stop.signal,
        (loaded) => (this.range = { ...range, loaded }),
      );
      const others = read.filter((nid) => !arrangement.has(nid));
      const nids = [...others, ...arrangement.keptBetween(range.from, range.to)];
      if (stop.signal.aborted) return false;
      this.range = null;
      this.ids.replace(nids);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      this.range = null;
      toaster.warn(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Stops reading a range; the former selection stays. */
  cancelRange(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#loading = null;
    this.range = null;
  }

  /** Calls `run` with the selected ids, as soon as they are read. */
  withSelected(run: (nids: number[]) => void): void {
    if (!this.#loading) return run([...this.ids]);
    void this.#loading.then((complete) => complete && run([...this.ids]));
  }

  set(nids: number[]): void {
    this.cancelRange();
    this.ids.replace(nids);
  }

  clear(): void {
    this.set([]);
  }

  /** Deselects items that are no longer in the list. */
  retain(nids: Set<number>): void {
    const remaining = [...this.ids].filter((nid) => nids.has(nid));
    if (remaining.length < this.ids.size) this.ids.replace(remaining);
  }

  /** Adapts the cursor to new rows. Answers whether a row was selected that had to be loaded first. */
  followRows(rows: ItemRows): boolean {
    const coming = this.#pendingIndex === null ? undefined : rows.at(this.#pendingIndex);
    if (this.#pendingIndex !== null && coming) {
      this.selectOnly(coming.nid, this.#pendingIndex);
      return true;
    }
    const anchor = this.#anchor.nid === null ? -1 : rows.indexOf(this.#anchor.nid);
    if (anchor >= 0) this.#anchor.index = anchor;
    const at = this.#cursorItem === null ? -1 : rows.indexOf(this.#cursorItem);
    if (at >= 0) this.#cursor = at;
    else if (rows.total > 0) this.#cursor = Math.min(this.#cursor, rows.total - 1);
    return false;
  }
}

async function loadIds(
  query: ItemQuery,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
  onProgress: (read: number) => void,
): Promise<number[]> {
  const nids: number[] = [];
  let start: { after: string } | { offset: number } | null = { offset: from };
  while (start && nids.length <= to - from) {
    const missing = to - from + 1 - nids.length;
    const page: Awaited<ReturnType<typeof listItemIds>> = await listItemIds(
      query,
      start,
      Math.min(MAX_IDS, missing),
      signal,
    );
    for (const nid of page.nids) nids.push(nid);
    onProgress(nids.length);
    start = page.next ? { after: page.next } : null;
  }
  return nids;
}

export const selection = new Selection();
