import type { SortKey } from '../../../api/types';
import { isOwnColumn, type OwnColumn } from '../../../state/table_columns.svelte';
import { t } from '../../../texts';
import { fieldLabel, itemFields, sortableFields } from '../filter_choices';

/** Sort keys of columns that are no fields. */
const SORT_KEYS: Partial<Record<OwnColumn, SortKey>> = {
  title: 'title',
  date: 'date',
  changed: 'changed',
  created: 'created',
  nid: 'nid',
  weight: 'weight',
};
export function columnLabel(id: string): string {
  return isOwnColumn(id) ? t.items.columns[id] : fieldLabel(id);
}

/** Null where the column is not sortable. */
export function sortKeyOf(id: string): SortKey | null {
  if (isOwnColumn(id)) return SORT_KEYS[id] ?? null;
  return sortableFields().some(({ name }) => name === id) ? (id as `field_${string}`) : null;
}

/** Numbers and dates are right-aligned. */
export function isRightAligned(id: string): boolean {
  if (isOwnColumn(id)) return ['changed', 'created', 'nid', 'members', 'media_count', 'weight'].includes(id);
  return itemFields().find(({ name }) => name === id)?.type === 'integer';
}
