import { reference } from '../api/resources';
import type { FieldItem } from '../api/types';

/** A wish to have an item somewhere else. */
export interface Move {
  /** The collection it is taken out of; null takes it out of all. */
  from: number | null;
  /** The collection it goes into; null files it nowhere. */
  to: number | null;
  /** It stays where it is as well. */
  stays?: boolean;
}

/** What an item is a member of after a move; the same list where nothing changes. */
export function membersAfter(before: FieldItem[], { from, to, stays = false }: Move): FieldItem[] {
  const parents = before.map((item) => Number(item.target_id));
  const kept = stays ? parents : parents.filter((parent) => from !== null && parent !== from);
  // Where the new one stands in the place of the old one, the first parent stays the first.
  const at = from === null ? 0 : Math.max(0, parents.indexOf(from));
  const after = to === null || kept.includes(to) ? kept : kept.toSpliced(stays ? kept.length : at, 0, to);
  if (after.length === parents.length && after.every((parent, index) => parent === parents[index]))
    return before;
  return after.map((parent) => reference('node', parent));
}
