import type { SortKey } from '../../api/types';
import type { MenuGroup } from '../../parts/MenuPanel.svelte';
import { itemList } from '../../place/item_list.svelte';
import type { Place } from '../../place/route';
import { t } from '../../texts';
import { dialogs } from '../dialogs.svelte';
import { fieldLabel } from './filter_choices';

const KEYS = ['weight', 'title', 'date', 'created', 'changed', 'nid'] as const;

/** What a list can be sorted by, and both directions. */
export function sortGroups(place: Place): MenuGroup[] {
  const sorting = itemList.sorting(place);
  return [
    {
      title: t.items.sortBy,
      entries: KEYS.filter((key) => key !== 'weight' || 'collection' in place).map((key) => ({
        id: key,
        label: sentence(t.items.sorts[key]),
        checked: sorting.sort === key,
        run: () => itemList.sortBy(place, { sort: key, order: firstOrder(key) }),
      })),
    },
    { entries: byField(place, sorting.sort) },
    {
      entries: (['asc', 'desc'] as const).map((order) => ({
        id: order,
        label: t.items.orders[order],
        checked: sorting.order === order,
        run: () => itemList.sortBy(place, { ...sorting, order }),
      })),
    },
  ];
}

/** The field that the list is sorted by, if it is one, and the way to another. */
function byField(place: Place, sort: SortKey): MenuGroup['entries'] {
  const isField = KEYS.every((key) => key !== sort);
  const now = { id: 'field', label: sortWords(sort), checked: true, run: () => {} };
  const other = {
    id: 'other',
    label: t.items.sortByOther,
    run: () => (dialogs.open = { kind: 'sort', place }),
  };
  return [...(isField ? [now] : []), other];
}

/** What a list is sorted by, in words. */
export function sortWords(key: SortKey): string {
  const own = KEYS.find((one) => one === key);
  return own ? t.items.sorts[own] : fieldLabel(key);
}

/** The newest first, everything else from the beginning. */
function firstOrder(key: SortKey): 'asc' | 'desc' {
  return key === 'created' || key === 'changed' || key === 'nid' ? 'desc' : 'asc';
}

function sentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
