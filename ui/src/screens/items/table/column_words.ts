import type { SortKey } from '../../../api/types';
import { isOwn, type OwnColumn } from '../../../place/columns.svelte';
import { t } from '../../../texts';
import { fieldLabel, itemFields, sortableFields } from '../filter_choices';

/** What a list can be sorted by among our own columns. */
const SORTED: Partial<Record<OwnColumn, SortKey>> = {
  title: 'title',
  date: 'date',
  changed: 'changed',
  created: 'created',
  nid: 'nid',
  weight: 'weight',
};
export function columnLabel(id: string): string {
  return isOwn(id) ? t.items.columns[id] : fieldLabel(id);
}

/** Null where the list cannot be sorted by it. */
export function sortKeyOf(id: string): SortKey | null {
  if (isOwn(id)) return SORTED[id] ?? null;
  return sortableFields().some(({ name }) => name === id) ? (id as `field_${string}`) : null;
}

/** Numbers stand at the end of their column, and the time of the last change as in any mail program. */
export function isAtEnd(id: string): boolean {
  if (isOwn(id)) return ['changed', 'created', 'nid', 'members', 'media_count', 'weight'].includes(id);
  return itemFields().find(({ name }) => name === id)?.type === 'integer';
}
