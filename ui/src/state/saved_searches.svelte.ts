import type { SavedSearch } from '../api/types';
import { currentList } from './current_list.svelte';
import { navigation } from './navigation.svelte';
import { browseRoute, type BrowseRoute } from './route';
import { isSameSearch, parseSearchAddress, searchAddress } from './search_address';

/** The saved searches that the user may see, and the one that is open. */
class SavedSearches {
  /** By name. */
  all: SavedSearch[] = $state.raw([]);
  /** The one that is being renamed in the tree. */
  renaming: number | null = $state(null);

  /** The saved search that the list was opened by. */
  get opened(): SavedSearch | undefined {
    const { route } = navigation;
    const id = route.screen === 'browse' ? route.saved : null;
    return id === null ? undefined : this.all.find((search) => search.id === id);
  }

  /** The query of the list that is displayed. */
  get presentQuery(): string {
    const { scope, below, search } = navigation.browse;
    return searchAddress({ ...search, scope: scope ?? currentList.scope, below }).toString();
  }

  /** Whether the list is asked for something else than the saved search that it was opened by. */
  get isChanged(): boolean {
    const { opened } = this;
    return opened !== undefined && !isSameSearch(opened.query, this.presentQuery);
  }

  /** The list of a saved search. */
  routeOf({ id, query }: SavedSearch): BrowseRoute {
    const { scope, below, ...search } = parseSearchAddress(new URLSearchParams(query));
    return { ...browseRoute(scope ?? { view: 'all' }), below, search, saved: id };
  }
}

export const savedSearches = new SavedSearches();
