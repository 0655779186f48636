import { currentList } from './current_list.svelte';
import { ItemRows } from './item_rows';

/**
 * The order in which items are described, one after the other. A new title may move an item in the list: the order is
 * that of the list when the first of them was selected.
 */
class ItemSteps {
  #rows = ItemRows.EMPTY;
  #query: unknown = null;
  /** The item that a step has selected. */
  #at: number | null = null;

  /** Call this when an item is selected. */
  begin(nid: number | null): void {
    if (nid === this.#at) return;
    this.#at = nid;
    [this.#rows, this.#query] = [currentList.rows, currentList.query];
  }

  /** The next or previous item; null at the ends, and where it is not loaded. */
  neighbor(nid: number, by: 1 | -1): number | null {
    const { rows, query } = currentList;
    if (query !== this.#query || this.#rows.indexOf(nid) < 0) [this.#rows, this.#query] = [rows, query];
    const from = this.#rows.indexOf(nid);
    if (from < 0) return null;
    for (let index = from + by; ; index += by) {
      const item = this.#rows.at(index);
      if (!item) return this.displayed(nid, by);
      // Items may have been deleted or moved elsewhere since.
      if (!rows.isComplete || rows.indexOf(item.nid) >= 0) return item.nid;
    }
  }

  /** Call this before the neighbour is selected. */
  stepTo(nid: number): void {
    this.#at = nid;
  }

  /** The neighbour in the list as it is displayed, where the former order has none. */
  private displayed(nid: number, by: 1 | -1): number | null {
    const { rows } = currentList;
    const at = rows.indexOf(nid);
    const beyond = this.#rows.isComplete || this.#rows === rows;
    return at < 0 || beyond ? null : (rows.at(at + by)?.nid ?? null);
  }
}

export const itemSteps = new ItemSteps();
