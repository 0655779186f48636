import type { Counts, User } from '../../api/types';
import type { OpenDialog } from '../../state/dialogs.svelte';
import { sameScope, type BrowseRoute, type Route } from '../../state/route';

/** Whether the repository is empty: the first steps are then shown in place of the items and the inspector. */
export function isFirstRun(counts: Counts | undefined, user: User | null, browse: BrowseRoute): boolean {
  return (
    counts?.all === 0 && user !== null && browse.item === null && sameScope(browse.scope, { view: 'all' })
  );
}

/** The dialog that an address opens; null: none. */
export function dialogOf(route: Route, mayCreate: boolean): OpenDialog | null {
  if (route.screen !== 'browse') return null;
  if (route.erase.length > 0) return { kind: 'erase-items', nids: route.erase };
  return route.create !== null && mayCreate ? { kind: 'item', parent: route.create || null } : null;
}
