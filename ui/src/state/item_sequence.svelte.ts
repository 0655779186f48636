import { ItemRows } from './item_rows';

/** Maximum number of collections that are skipped. */
const MAX_SKIPPED = 40;

/** The displayed order of items, for stepping from one to the next. */
class ItemSequence {
  #rows: ItemRows = $state.raw(ItemRows.EMPTY);
  #pin: (index: number | null) => void = () => {};

  /** Sets the list; `pin` keeps the rows around an index loaded. */
  set(rows: ItemRows, pin: (index: number | null) => void): void {
    this.#rows = rows;
    this.#pin = pin;
  }

  /** The next or previous item that is no collection; null at the ends, and where it is not loaded. */
  neighbor(nid: number, by: 1 | -1): number | null {
    const at = this.#rows.indexOf(nid);
    if (at < 0) return null;
    for (let index = at + by; Math.abs(index - at) <= MAX_SKIPPED; index += by) {
      const item = this.#rows.at(index);
      if (!item) return null;
      if (!item.is_collection) return item.nid;
    }
    return null;
  }

  /** Call this after a step: the rows around the item are loaded. */
  preloadAround(nid: number): void {
    const at = this.#rows.indexOf(nid);
    if (at >= 0) this.#pin(at);
  }

  /** Ends the stepping. */
  leave(): void {
    this.#pin(null);
  }
}

export const itemSequence = new ItemSequence();
