/** Undoable changes of saved searches. */
import {
  createSavedSearch,
  deleteSavedSearch,
  readSavedSearch,
  updateSavedSearch,
} from '../../api/saved_searches';
import { absoluteUrl } from '../../api/client';
import type { NewSavedSearch, SavedSearch } from '../../api/types';
import { refreshLists } from '../../state/live_updates';
import { layout } from '../../state/layout.svelte';
import { navigation } from '../../state/navigation.svelte';
import { addressOf } from '../../state/route';
import { savedSearches } from '../../state/saved_searches.svelte';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { savedSearchSettings, settingsStep } from '../undo/settings_steps';
import { undoAction } from '../undo/undo.svelte';

/** Lists what a saved search finds. */
export function openSavedSearch(search: SavedSearch): void {
  layout.pane = 'items';
  navigation.go(savedSearches.routeOf(search));
}

/** Saves a search; the list that is displayed is then that of it. */
export function saveSearch(search: NewSavedSearch): Promise<SavedSearch> {
  return undoHistory.during(async () => {
    const made = await createSavedSearch(search);
    const after = savedSearchSettings(made);
    undoHistory.record({ act: 'create', kind: 'saved_search', id: made.id, title: made.name, after });
    savedSearches.all = [...savedSearches.all, made];
    if (navigation.route.screen === 'browse') navigation.replace({ ...navigation.browse, saved: made.id });
    refreshLists();
    toaster.say(t.savedSearches.saved(made.name), undoAction());
    return made;
  });
}

/** Changes a saved search. */
export async function changeSavedSearch(
  { id, name }: SavedSearch,
  change: Partial<NewSavedSearch>,
  words: string,
): Promise<void> {
  await reporting(() =>
    undoHistory.during(async () => {
      const before = savedSearchSettings(await readSavedSearch(id));
      const changed = await updateSavedSearch(id, change);
      savedSearches.all = savedSearches.all.map((search) => (search.id === id ? changed : search));
      const about = { kind: 'saved_search', id, title: name } as const;
      const step = settingsStep(about, before, savedSearchSettings(changed));
      if (step) undoHistory.record(step);
      refreshLists();
      toaster.say(words, step ? undoAction() : undefined);
    }),
  );
}

/** Gives a saved search the query of the list that is displayed. */
export function updateToPresent(search: SavedSearch): Promise<void> {
  const query = savedSearches.presentQuery;
  return changeSavedSearch(search, { query }, t.savedSearches.updated(search.name));
}

/** Deletes a saved search. The list that it has opened stays. */
export async function removeSavedSearch({ id, name }: SavedSearch): Promise<void> {
  await reporting(() =>
    undoHistory.during(async () => {
      await deleteSavedSearch(id);
      undoHistory.record({ act: 'delete', kind: 'saved_search', id, title: name });
      savedSearches.all = savedSearches.all.filter((search) => search.id !== id);
      if (navigation.browse.saved === id) navigation.replace({ ...navigation.browse, saved: null });
      refreshLists();
      toaster.say(t.savedSearches.deleted(name), undoAction());
    }),
  );
}

/** Copies the address of the list of a saved search. */
export async function copyAddress(search: SavedSearch): Promise<void> {
  const address = absoluteUrl(addressOf(savedSearches.routeOf(search)));
  await reporting(async () => {
    await navigator.clipboard.writeText(address);
    toaster.say(t.savedSearches.copied);
  });
}

async function reporting(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
