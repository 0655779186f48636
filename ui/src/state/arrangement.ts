import { PAGE_SIZE } from '../api/read';
import type { Item } from '../api/types';
import { ItemRows } from './item_rows';

/** An item and its index in the list of the server. */
export interface LocatedItem {
  item: Item;
  at: number;
}

/** An item that is displayed at another place than the server's. */
export interface ItemPlace extends LocatedItem {
  /** Number of items before it, not counting those that are kept. */
  slot: number;
}

/** Where items of a list are displayed: those that are kept at their places, and all others in the server's order. */
export class Arrangement {
  /** In displayed order. */
  readonly kept: readonly ItemPlace[];
  /** Indexes of the kept items in the list of the server, ascending. */
  readonly #ats: number[];
  readonly #byNid: ReadonlyMap<number, number>;

  constructor(kept: ItemPlace[]) {
    this.kept = kept.toSorted((a, b) => a.slot - b.slot);
    this.#ats = kept.map(({ at }) => at).sort((a, b) => a - b);
    this.#byNid = new Map(this.kept.map(({ item }, index) => [item.nid, index]));
  }

  static readonly NONE = new Arrangement([]);

  /** Where an item will move when the list is sorted again; null: nowhere. */
  moveOf(nid: number): 'up' | 'down' | null {
    const index = this.#byNid.get(nid);
    const kept = index === undefined ? undefined : this.kept[index];
    if (index === undefined || !kept) return null;
    return kept.at < kept.slot + index ? 'up' : 'down';
  }

  /** The number of items before an index of the server's list, not counting those that are kept. */
  ordinal(at: number): number {
    return at - this.#ats.filter((one) => one < at).length;
  }

  /** The index in the server's list of the item at a displayed index; of a kept item, that of the item after it. */
  serverIndex(displayed: number): number {
    const before = this.kept.filter(({ slot }, index) => slot + index < displayed).length;
    return this.#ats.reduce((at, one) => (one <= at ? at + 1 : at), displayed - before);
  }

  /** The ids of kept items between two displayed indexes, both included. */
  keptBetween(from: number, to: number): number[] {
    const shown = this.kept.filter(({ slot }, index) => slot + index >= from && slot + index <= to);
    return shown.map(({ item }) => item.nid);
  }

  has(nid: number): boolean {
    return this.#byNid.has(nid);
  }

  /** The rows of the server as they are displayed. */
  apply(rows: ItemRows): ItemRows {
    if (this.kept.length === 0) return rows;
    const pages = new Map<number, (Item | undefined)[]>();
    const put = (index: number, item: Item) => {
      const page = Math.floor(index / PAGE_SIZE);
      const items = pages.get(page) ?? [];
      items[index % PAGE_SIZE] = item;
      pages.set(page, items);
    };
    for (const [at, item] of rows.entries()) {
      if (this.has(item.nid)) continue;
      const ordinal = this.ordinal(at);
      put(ordinal + this.kept.filter(({ slot }) => slot <= ordinal).length, item);
    }
    this.kept.forEach(({ slot, item }, index) => put(slot + index, item));
    return new ItemRows(rows.total, pages);
  }
}

const START = 0;
const UNLOADED = -1;

/** The id of the nearest item before an index that is among `nids`; `START` or `UNLOADED` where there is none. */
function precedingId(rows: ItemRows, index: number, nids: ReadonlySet<number>): number {
  for (let at = index - 1; at >= 0; at -= 1) {
    const item = rows.at(at);
    if (!item) return UNLOADED;
    if (nids.has(item.nid)) return item.nid;
  }
  return START;
}

/**
 * Keeps the displayed items at their places in newer rows. Only an item with a new revision can have moved; it is kept
 * behind the item that it is displayed behind. `elsewhere` are displayed items that are not among the loaded rows;
 * items that are in neither have left the list.
 */
export function keepPlaces(
  shown: ItemRows,
  before: Arrangement,
  fresh: ItemRows,
  elsewhere: ReadonlyMap<number, LocatedItem>,
): Arrangement {
  const now = new Map([...fresh.entries()].map(([at, item]) => [item.nid, { at, item }]));
  /** Items that stand as the server has them. */
  const inOrder = new Set<number>();
  const displayed = [...shown.entries()];
  for (const [, { nid, vid }] of displayed)
    if (now.get(nid)?.item.vid === vid && !before.has(nid)) inOrder.add(nid);
  const moved: (LocatedItem & { index: number; behind: number })[] = [];
  for (const [index, { nid }] of displayed) {
    const located = now.get(nid) ?? elsewhere.get(nid);
    if (inOrder.has(nid) || !located) continue;
    const behind = precedingId(shown, index, inOrder);
    const isLoaded = now.has(nid);
    if (isLoaded && precedingId(fresh, located.at, inOrder) === behind) inOrder.add(nid);
    else moved.push({ ...located, index, behind });
  }
  const ats = new Arrangement(moved.map((one) => ({ ...one, slot: 0 })));
  const slotOf = ({ index, behind }: { index: number; behind: number }) => {
    if (behind === START) return 0;
    const anchor = now.get(behind);
    if (anchor) return ats.ordinal(anchor.at) + 1;
    return index - before.kept.filter(({ slot }, order) => slot + order < index).length;
  };
  return new Arrangement(moved.map((one) => ({ item: one.item, at: one.at, slot: slotOf(one) })));
}
