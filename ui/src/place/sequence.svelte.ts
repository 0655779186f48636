import { Rows } from './rows';

/** Collections that are passed over at most. */
const FAR = 40;

/** The items in the order in which the list shows them: what comes before one, and what after. */
class Sequence {
  #rows: Rows = $state.raw(Rows.NONE);
  #pin: (index: number | null) => void = () => {};

  /** Takes what the list shows; `pin` keeps what is around a row read. */
  set(rows: Rows, pin: (index: number | null) => void): void {
    this.#rows = rows;
    this.#pin = pin;
  }

  /** The item so many places from this one, but for collections; null at the ends, and where it is not known. */
  from(nid: number, by: 1 | -1): number | null {
    const at = this.#rows.indexOf(nid);
    if (at < 0) return null;
    for (let index = at + by; Math.abs(index - at) <= FAR; index += by) {
      const item = this.#rows.at(index);
      if (!item) return null;
      if (!item.is_collection) return item.nid;
    }
    return null;
  }

  /** To be said by whoever goes through the items: the list is read on in time. */
  stands(nid: number): void {
    const at = this.#rows.indexOf(nid);
    if (at >= 0) this.#pin(at);
  }

  /** Nobody goes through the items any more. */
  leave(): void {
    this.#pin(null);
  }
}

export const sequence = new Sequence();
