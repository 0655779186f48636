import type { MenuGroup } from '../../parts/MenuPanel.svelte';
import { itemList } from '../../place/item_list.svelte';
import { mayCreateItem } from '../../place/permission';
import type { Place } from '../../place/route';
import { selection } from '../../place/selection.svelte';
import { shownList } from '../../place/shown_list.svelte';
import { t } from '../../texts';
import { dialogs } from '../dialogs.svelte';
import { showChosen } from './acts';
import { sortGroups } from './sort_menu';

/** What can be done with a list as a whole: the menu of its empty ground. */
export function groundMenu(place: Place): MenuGroup[] {
  return [{ entries: making(place) }, { entries: choosing() }, ...sortGroups(place), view()];
}

function making(place: Place): MenuGroup['entries'] {
  if (!mayCreateItem()) return [];
  const parent = 'collection' in place ? place.collection : null;
  return (['item', 'collection'] as const).map((kind) => ({
    id: kind,
    label: t.items.addMenu[kind],
    icon: kind === 'item' ? ('image' as const) : ('folder' as const),
    keys: kind === 'item' ? 'Ctrl+N' : 'Ctrl+Shift+N',
    run: () => (dialogs.open = { kind, parent }),
  }));
}

function choosing(): MenuGroup['entries'] {
  if (shownList.rows.total === 0) return [];
  const run = () => {
    selection.all(shownList);
    showChosen();
  };
  return [{ id: 'all', label: t.items.chooseAll, icon: 'check', keys: 'Ctrl+A', run }];
}

function view(): MenuGroup {
  const entries: MenuGroup['entries'] = (['grid', 'table'] as const).map((view) => ({
    id: view,
    label: view === 'grid' ? t.palette.thumbnails : t.palette.table,
    checked: itemList.view.value === view,
    run: () => (itemList.view.value = view),
  }));
  entries.push({
    id: 'columns',
    label: t.items.chooseColumns,
    icon: 'table',
    run: () => (dialogs.open = { kind: 'columns' }),
  });
  return { entries };
}
