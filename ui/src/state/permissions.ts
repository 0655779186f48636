/**
 * What the UI offers. The server decides; resources in its answers contain what the user may do with them
 * (`may`). These functions are about new resources, and about many.
 */
import type { Item, User } from '../api/types';
import { collectionTree } from './collection_tree.svelte';
import { repository } from './repository.svelte';
import { selection } from './selection.svelte';
import { currentList } from './current_list.svelte';

function hasPermission(user: User | null, ...permissions: string[]): boolean {
  if (!user) return false;
  if (user.uid === 1 || user.roles.includes('administrator')) return true;
  return permissions.some((permission) => user.permissions.includes(permission));
}

/** Whether the user has one of these permissions everywhere or in some collection; the server decides where. */
function hasPermissionSomewhere(user: User | null, ...permissions: string[]): boolean {
  const there = user?.collection_permissions ?? [];
  return hasPermission(user, ...permissions) || permissions.some((permission) => there.includes(permission));
}

/** Whether items are created everywhere, or in the collection that is listed. */
export function mayCreateItem(bundle = repository.model.bundle_roles.item): boolean {
  return mayCreateAtTop(bundle) || currentList.mayAdd;
}

/** Whether items are created in a collection, as far as it is displayed; null: in none. */
export function mayCreateItemIn(nid: number | null): boolean {
  if (mayCreateAtTop() || nid === null) return mayCreateAtTop();
  const { scope, mayAdd } = currentList;
  const isListed = scope !== null && 'collection' in scope && scope.collection === nid;
  return isListed ? mayAdd : (collectionTree.find(nid)?.may.add_item ?? false);
}

/** Whether items and collections are created in no collection. */
export function mayCreateAtTop(bundle = repository.model.bundle_roles.item): boolean {
  return hasPermission(repository.user, `create ${bundle} content`, 'bypass node access');
}

/**
 * Whether an action on the selection is offered: every loaded item of it must allow it. If none of it is
 * loaded, some loaded item of the list must, and the server decides for each.
 */
export function maySelected(action: 'update' | 'delete' | 'share'): boolean {
  const { rows } = currentList;
  const selected: Item[] = [];
  for (const [index, item] of rows.entries()) if (selection.has(item.nid, index)) selected.push(item);
  if (selected.length > 0) return selected.every(({ may }) => may[action]);
  return selection.count > 0 && rows.loaded.some(({ may }) => may[action]);
}

/** Searches are saved for all by those who edit the items of all. */
export function mayShareSearches(): boolean {
  const { item } = repository.model.bundle_roles;
  return hasPermission(repository.user, 'administer nodes', 'bypass node access', `edit any ${item} content`);
}

/** Shares items by links with people without an account. */
export function mayShare(): boolean {
  return hasPermissionSomewhere(repository.user, 'share content');
}

/** Publishes items, and so looks those through that are in review. */
export function mayPublish(): boolean {
  return hasPermissionSomewhere(repository.user, 'administer nodes', 'review content');
}

/** Media of a type, or of any type. */
export function mayCreateMedia(mediaType?: string): boolean {
  const types = mediaType ? [mediaType] : Object.keys(repository.model.media_types);
  return hasPermissionSomewhere(
    repository.user,
    'create media',
    'administer media',
    ...types.map((type) => `create ${type} media`),
  );
}

/** At least some media: those of an item are deleted with it. */
export function mayDeleteMedia(): boolean {
  return hasPermissionSomewhere(repository.user, 'delete any media', 'delete media', 'administer media');
}

export function mayCreateTerm(vocabulary: string): boolean {
  return hasPermission(repository.user, `create terms in ${vocabulary}`, 'administer taxonomy');
}

export function mayEditTerm(vocabulary: string): boolean {
  return hasPermission(repository.user, `edit terms in ${vocabulary}`, 'administer taxonomy');
}

export function mayAdministerUsers(): boolean {
  return hasPermission(repository.user, 'administer users');
}

/** Who may change roles gets every permission that a role can have. */
export function mayAdministerRoles(): boolean {
  return hasPermission(repository.user, 'administer permissions');
}

export function mayAdministerServer(): boolean {
  return repository.user?.uid === 1 || (repository.user?.roles.includes('administrator') ?? false);
}

export function mayDeleteTerm(vocabulary: string): boolean {
  return hasPermission(repository.user, `delete terms in ${vocabulary}`, 'administer taxonomy');
}
