import { navigation } from '../../state/navigation.svelte';
import { browseRoute } from '../../state/route';
import { UNNARROWED } from '../../state/search_address';
import { t } from '../../texts';
import { allCommands } from '../commands/commands';
import { destinations } from '../commands/destinations';
import type { PaletteEntry } from './palette_search';

/** All commands and destinations, in order. */
export function paletteCommands(typed: string): PaletteEntry[] {
  return [
    ...availableCommands(),
    ...searchEverywhere(typed),
    ...destinations().map(({ id, label, icon, name, run }): PaletteEntry => {
      return {
        id,
        kind: 'go',
        label,
        icon,
        synonyms: t.palette.synonyms[name === 'all' ? 'all_items' : name],
        run,
      };
    }),
  ];
}

function searchEverywhere(typed: string): PaletteEntry[] {
  const words = typed.trim();
  if (words === '') return [];
  return [
    {
      id: 'do/search',
      kind: 'do',
      label: t.palette.searchFor(words),
      icon: 'search',
      run: () => navigation.go({ ...browseRoute({ view: 'all' }), search: { ...UNNARROWED, q: words } }),
    },
  ];
}

/** Commands without a meaning in the palette. */
const EXCLUDED = ['palette', 'pane', 'pane-before'];

function availableCommands(): PaletteEntry[] {
  return allCommands()
    .filter(({ id, enabled }) => enabled && !EXCLUDED.includes(id))
    .map(({ id, label, icon, keys, run }) => {
      return { id: `do/${id}`, kind: 'do', label, icon, keys, synonyms: t.palette.synonyms[id], run };
    });
}
