/** Commands for what is displayed and where. */
import { layout } from '../../state/layout.svelte';
import { listOptions } from '../../state/list_options.svelte';
import { navigation } from '../../state/navigation.svelte';
import { chooseTheme, theme, type Theme } from '../../state/theme.svelte';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { transferQueue } from '../transfers/transfer_queue.svelte';
import type { Command } from './command_type';
import { focusSearch, focusPane } from './focus';

const THEMES: Theme[] = ['system', 'light', 'dark'];

export function viewCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse';
  return [
    ...(['grid', 'table'] as const).map((view, index): Command => ({
      id: view,
      label: view === 'grid' ? t.palette.thumbnails : t.palette.table,
      icon: view === 'grid' ? 'all' : 'table',
      keys: ['Ctrl', String(index + 1)],
      enabled: isBrowsing,
      checked: listOptions.view.value === view,
      run: () => (listOptions.view.value = view),
    })),
    {
      id: 'columns',
      label: t.items.chooseColumns,
      icon: 'table',
      enabled: true,
      run: () => (dialogs.open = { kind: 'columns' }),
    },
    {
      id: 'facets',
      label: t.facets.show,
      icon: 'filter',
      keys: ['Ctrl', 'Shift', 'F'],
      enabled: isBrowsing,
      checked: layout.facets,
      run: () => (layout.facets = !layout.facets),
    },
    {
      id: 'transfers',
      label: t.palette.transfers,
      icon: 'upload',
      keys: ['Ctrl', 'J'],
      enabled: true,
      run: () => (transferQueue.open = !transferQueue.open),
    },
    ...THEMES.map((name): Command => ({
      id: `theme-${name}`,
      label: t.palette.theme(t.session.themes[name]),
      icon: 'eye',
      enabled: true,
      checked: theme.value === name,
      run: () => chooseTheme(name),
    })),
    ...navigationCommands(),
  ];
}

function navigationCommands(): Command[] {
  return [
    {
      id: 'find',
      label: t.items.search,
      icon: 'search',
      keys: ['Ctrl', 'F'],
      enabled: true,
      run: focusSearch,
    },
    {
      id: 'back',
      label: t.menus.back,
      icon: 'back',
      keys: ['Alt', '←'],
      yieldsTo: 'typing',
      enabled: navigation.depth > 0,
      runsWhenDisabled: true,
      run: () => navigation.back(),
    },
    {
      id: 'forward',
      label: t.menus.forward,
      icon: 'forward',
      keys: ['Alt', '→'],
      yieldsTo: 'typing',
      enabled: navigation.depth < navigation.maxDepth,
      runsWhenDisabled: true,
      run: () => navigation.forward(),
    },
    {
      id: 'pane',
      label: t.menus.pane,
      icon: 'forward',
      keys: ['F6'],
      enabled: true,
      run: () => focusPane(1),
    },
    {
      id: 'pane-before',
      label: t.menus.paneBefore,
      icon: 'back',
      keys: ['Shift', 'F6'],
      enabled: true,
      run: () => focusPane(-1),
    },
  ];
}
