import type { BrowseRoute } from '../../state/route';

/** Two revisions of an item side by side: left the older one. */
export interface RevisionPair {
  nid: number;
  left: number;
  right: number;
}

/** Which revisions stand side by side in place of the items, if any. */
class Comparison {
  current: RevisionPair | null = $state.raw(null);

  /** The comparison that a place of the desk shows: that of its item, while its history is open. */
  forRoute({ item, scope, tab }: BrowseRoute): RevisionPair | null {
    const nid = item ?? (scope && 'collection' in scope ? scope.collection : null);
    return tab === 'history' && this.current?.nid === nid ? this.current : null;
  }

  /** The older one goes to the left, whichever was named first. */
  show(nid: number, one: number, other: number): void {
    this.current = { nid, left: Math.min(one, other), right: Math.max(one, other) };
  }

  close(): void {
    this.current = null;
  }
}

export const comparison = new Comparison();
