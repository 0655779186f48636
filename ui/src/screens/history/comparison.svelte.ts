import type { DeskRoute } from '../../place/route';

/** Two revisions of an item side by side: left the older one. */
export interface Compared {
  nid: number;
  left: number;
  right: number;
}

/** Which revisions stand side by side in place of the items, if any. */
class Comparison {
  now: Compared | null = $state.raw(null);

  /** The comparison that a place of the desk shows: that of its item, while its history is open. */
  of({ item, place, tab }: DeskRoute): Compared | null {
    const nid = item ?? (place && 'collection' in place ? place.collection : null);
    return tab === 'history' && this.now?.nid === nid ? this.now : null;
  }

  /** The older one goes to the left, whichever was named first. */
  show(nid: number, one: number, other: number): void {
    this.now = { nid, left: Math.min(one, other), right: Math.max(one, other) };
  }

  close(): void {
    this.now = null;
  }
}

export const comparison = new Comparison();
