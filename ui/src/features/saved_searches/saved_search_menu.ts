import type { MenuEntry, MenuGroup } from '../../components/MenuPanel.svelte';
import type { SavedSearch } from '../../api/types';
import { savedSearchItems } from '../../state/export_source';
import { savedSearches } from '../../state/saved_searches.svelte';
import { exportItems } from '../export_items/export_commands';
import { t } from '../../texts';
import {
  changeSavedSearch,
  copyAddress,
  openSavedSearch,
  removeSavedSearch,
  updateToPresent,
} from './saved_search_actions';

/** The context menu of a saved search in the tree. */
export function savedSearchMenu(search: SavedSearch): MenuGroup[] {
  return [
    { entries: [openEntry(search), copyEntry(search), exportEntry(search)] },
    { entries: editEntries(search) },
    { entries: search.may.delete ? [deleteEntry(search)] : [] },
  ];
}

const openEntry = (search: SavedSearch): MenuEntry => ({
  id: 'open',
  label: t.say.open,
  icon: 'open',
  keys: 'Enter',
  run: () => openSavedSearch(search),
});

const copyEntry = (search: SavedSearch): MenuEntry => ({
  id: 'copy',
  label: t.savedSearches.copy,
  icon: 'link',
  run: () => void copyAddress(search),
});

const exportEntry = ({ id, name }: SavedSearch): MenuEntry => ({
  id: 'export',
  label: t.exporting.open,
  icon: 'table',
  run: () => exportItems(savedSearchItems(id, name)),
});

function editEntries(search: SavedSearch): MenuEntry[] {
  const { id, name, may, public: isPublic } = search;
  const rename: MenuEntry = {
    id: 'rename',
    label: t.places.rename,
    icon: 'pencil',
    keys: 'F2',
    run: () => (savedSearches.renaming = id),
  };
  const update: MenuEntry = {
    id: 'update',
    label: t.savedSearches.update,
    icon: 'retry',
    run: () => void updateToPresent(search),
  };
  const words = isPublic ? t.savedSearches.madePrivate(name) : t.savedSearches.madePublic(name);
  const share: MenuEntry = {
    id: 'share',
    label: isPublic ? t.savedSearches.makePrivate : t.savedSearches.makePublic,
    icon: isPublic ? 'lock' : 'people',
    run: () => void changeSavedSearch(search, { public: !isPublic }, words),
  };
  return [...(may.update ? [rename, update] : []), ...(may.share ? [share] : [])];
}

const deleteEntry = (search: SavedSearch): MenuEntry => ({
  id: 'delete',
  label: t.say.delete,
  icon: 'trash',
  danger: true,
  keys: 'Del',
  run: () => void removeSavedSearch(search),
});
