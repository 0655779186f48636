import { PAGE } from '../api/read';
import type { Item } from '../api/types';

/** The items of a list as far as they are read: a page here and a page there. */
export class Rows {
  constructor(
    /** All there are, read or not. */
    readonly total: number,
    /** What is read, by the number of the page. */
    readonly pages: ReadonlyMap<number, readonly Item[]>,
  ) {}

  static readonly NONE = new Rows(0, new Map());

  /** The item at a place counted from 0; undefined where it is not read. */
  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Where an item stands; -1 where that is not known. */
  indexOf(nid: number): number {
    for (const [page, items] of this.pages) {
      const at = items.findIndex((item) => item.nid === nid);
      if (at >= 0) return page * PAGE + at;
    }
    return -1;
  }

  /** The items from a place up to another, both included; null where one of them is not read. */
  between(from: number, to: number): Item[] | null {
    const found: Item[] = [];
    for (let index = from; index <= to; index += 1) {
      const item = this.at(index);
      if (!item) return null;
      found.push(item);
    }
    return found;
  }

  /** Those that are read, in their order. */
  get read(): Item[] {
    return [...this.entries()].map(([, item]) => item);
  }

  /** Those that are read with their places, in their order. */
  *entries(): Generator<[number, Item]> {
    for (const [page, items] of [...this.pages].sort(([a], [b]) => a - b))
      for (const [at, item] of items.entries()) yield [page * PAGE + at, item];
  }

  /** Whether nothing is left to be read. */
  get whole(): boolean {
    let read = 0;
    for (const items of this.pages.values()) read += items.length;
    return read >= this.total;
  }
}
