import type { SortKey } from '../../api/types';
import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { listOptions } from '../../state/list_options.svelte';
import type { ListScope } from '../../state/route';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { fieldLabel } from './filter_choices';

const KEYS = ['relevance', 'weight', 'title', 'date', 'created', 'changed', 'nid'] as const;

/** Menu entries for sort keys and directions. */
export function sortGroups(scope: ListScope): MenuGroup[] {
  const sorting = listOptions.sorting(scope);
  return [
    {
      title: t.items.sortBy,
      entries: KEYS.filter((key) => isOffered(key, scope)).map((key) => ({
        id: key,
        label: capitalize(t.items.sorts[key]),
        checked: sorting.sort === key,
        run: () => listOptions.sortBy(scope, { sort: key, order: defaultOrder(key) }),
      })),
    },
    { entries: fieldEntries(scope, sorting.sort) },
    ...(sorting.sort === 'relevance' ? [] : [{ entries: directionEntries(scope) }]),
  ];
}

function isOffered(key: (typeof KEYS)[number], scope: ListScope): boolean {
  if (key === 'relevance') return listOptions.searching;
  return key !== 'weight' || 'collection' in scope;
}

function directionEntries(scope: ListScope): MenuGroup['entries'] {
  const sorting = listOptions.sorting(scope);
  return (['asc', 'desc'] as const).map((order) => ({
    id: order,
    label: t.items.orders[order],
    checked: sorting.order === order,
    run: () => listOptions.sortBy(scope, { ...sorting, order }),
  }));
}

/** The field that the list is sorted by, and the entry that chooses another. */
function fieldEntries(scope: ListScope, sort: SortKey): MenuGroup['entries'] {
  const isField = KEYS.every((key) => key !== sort);
  const now = { id: 'field', label: sortLabel(sort), checked: true, run: () => {} };
  const other = {
    id: 'other',
    label: t.items.sortByOther,
    run: () => (dialogs.open = { kind: 'sort', scope }),
  };
  return [...(isField ? [now] : []), other];
}

/** The label of a sort key. */
export function sortLabel(key: SortKey): string {
  const own = KEYS.find((one) => one === key);
  return own ? t.items.sorts[own] : fieldLabel(key);
}

/** Dates, ids and relevance descend, everything else ascends. */
function defaultOrder(key: SortKey): 'asc' | 'desc' {
  return ['created', 'changed', 'nid', 'relevance'].includes(key) ? 'desc' : 'asc';
}

function capitalize(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
