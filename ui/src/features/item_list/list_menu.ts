import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { listOptions } from '../../state/list_options.svelte';
import { mayCreateItem } from '../../state/permissions';
import type { ListScope } from '../../state/route';
import { selection } from '../../state/selection.svelte';
import { currentList } from '../../state/current_list.svelte';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { showSelection } from './item_actions';
import { exportList } from '../export_items/export_commands';
import { sortGroups } from './sort_menu';

/** The context menu of the list. */
export function listMenu(scope: ListScope): MenuGroup[] {
  return [
    { entries: createEntries(scope) },
    { entries: selectEntries() },
    ...sortGroups(scope),
    viewEntries(),
  ];
}

function createEntries(scope: ListScope): MenuGroup['entries'] {
  if (!mayCreateItem()) return [];
  const parent = 'collection' in scope ? scope.collection : null;
  return (['item', 'collection'] as const).map((kind) => ({
    id: kind,
    label: t.items.addMenu[kind],
    icon: kind === 'item' ? ('image' as const) : ('folder' as const),
    keys: kind === 'item' ? 'Ctrl+N' : 'Ctrl+Shift+N',
    run: () => (dialogs.open = { kind, parent }),
  }));
}

function selectEntries(): MenuGroup['entries'] {
  if (currentList.rows.total === 0) return [];
  const run = () => {
    selection.selectAll(currentList);
    showSelection();
  };
  return [
    { id: 'all', label: t.items.chooseAll, icon: 'check', keys: 'Ctrl+A', run },
    { id: 'export', label: t.exporting.openList, icon: 'table', run: exportList },
  ];
}

function viewEntries(): MenuGroup {
  const entries: MenuGroup['entries'] = (['grid', 'table'] as const).map((view) => ({
    id: view,
    label: view === 'grid' ? t.palette.thumbnails : t.palette.table,
    checked: listOptions.view.value === view,
    run: () => (listOptions.view.value = view),
  }));
  entries.push({
    id: 'columns',
    label: t.items.chooseColumns,
    icon: 'table',
    run: () => (dialogs.open = { kind: 'columns' }),
  });
  return { entries };
}
