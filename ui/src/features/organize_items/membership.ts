import { reference } from '../../api/resources';
import type { FieldItem } from '../../api/types';

/** A move of items between collections. */
export interface Move {
  /** The collection that they are removed from; null: from all. */
  from: number | null;
  /** The collection that they are added to; null: none. */
  to: number | null;
  /** Whether they also stay in their collection. */
  keep?: boolean;
}

/** The parents of an item after a move; the same array where nothing changes. */
export function parentsAfterMove(before: FieldItem[], { from, to, keep: keep = false }: Move): FieldItem[] {
  const parents = before.map((item) => Number(item.target_id));
  const remaining = keep ? parents : parents.filter((parent) => from !== null && parent !== from);
  // The new parent takes the position of the old one, so that the first stays the first.
  const at = from === null ? 0 : Math.max(0, parents.indexOf(from));
  const after =
    to === null || remaining.includes(to)
      ? remaining
      : remaining.toSpliced(keep ? remaining.length : at, 0, to);
  if (after.length === parents.length && after.every((parent, index) => parent === parents[index]))
    return before;
  return after.map((parent) => reference('node', parent));
}
