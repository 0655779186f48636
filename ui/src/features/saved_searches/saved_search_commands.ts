import { dialogs } from '../../state/dialogs.svelte';
import { navigation } from '../../state/navigation.svelte';
import { repository } from '../../state/repository.svelte';
import { savedSearches } from '../../state/saved_searches.svelte';
import { t } from '../../texts';
import type { Command } from '../commands/command_type';
import { openSavedSearch, updateToPresent } from './saved_search_actions';

/** Commands that save what is listed, and those that open what was saved. */
export function savedSearchCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse' && navigation.browse.viewer === null;
  const { opened } = savedSearches;
  return [
    {
      id: 'save-search',
      label: t.savedSearches.saveMenu,
      icon: 'search',
      keys: ['Ctrl', 'Shift', 'S'],
      enabled: isBrowsing && repository.user !== null,
      run: () => (dialogs.open = { kind: 'save-search' }),
    },
    {
      id: 'update-search',
      label: t.savedSearches.update,
      icon: 'retry',
      enabled: isBrowsing && savedSearches.isChanged && opened?.may.update === true,
      run: () => opened && void updateToPresent(opened),
    },
    ...savedSearches.all.map((search): Command => ({
      id: `saved-search-${search.id}`,
      label: t.savedSearches.open(search.name),
      icon: search.public ? 'people' : 'search',
      enabled: true,
      run: () => openSavedSearch(search),
    })),
  ];
}
