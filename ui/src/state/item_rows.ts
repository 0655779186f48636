import { PAGE_SIZE } from '../api/read';
import type { Item } from '../api/types';

/** The loaded pages of an item list. */
export class ItemRows {
  constructor(
    /** Length of the whole list. */
    readonly total: number,
    /** Loaded items by page number. A page may lack some. */
    readonly pages: ReadonlyMap<number, readonly (Item | undefined)[]>,
  ) {}

  static readonly EMPTY = new ItemRows(0, new Map());

  /** The item at an index; undefined where it is not loaded. */
  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  /** Index of an item; -1 where it is not loaded. */
  indexOf(nid: number): number {
    for (const [page, items] of this.pages) {
      const at = items.findIndex((item) => item?.nid === nid);
      if (at >= 0) return page * PAGE_SIZE + at;
    }
    return -1;
  }

  /** The items between two indexes, both included; null where one of them is not loaded. */
  slice(from: number, to: number): Item[] | null {
    const found: Item[] = [];
    for (let index = from; index <= to; index += 1) {
      const item = this.at(index);
      if (!item) return null;
      found.push(item);
    }
    return found;
  }

  /** The items from an index on, as far as they are loaded without a gap. */
  loadedFrom(index: number): Item[] {
    const found: Item[] = [];
    for (let at = index, item = this.at(at); item; at += 1, item = this.at(at)) found.push(item);
    return found;
  }

  /** All loaded items in order. */
  get loaded(): Item[] {
    return [...this.entries()].map(([, item]) => item);
  }

  /** All loaded items with their indexes, in order. */
  *entries(): Generator<[number, Item]> {
    for (const [page, items] of [...this.pages].sort(([a], [b]) => a - b))
      for (const [at, item] of items.entries()) if (item) yield [page * PAGE_SIZE + at, item];
  }

  /** Whether all items are loaded. */
  get isComplete(): boolean {
    let read = 0;
    for (const items of this.pages.values()) read += items.filter((item) => item).length;
    return read >= this.total;
  }
}
