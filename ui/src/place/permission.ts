/**
 * Which acts to offer. The server decides, and what it lists says itself what may be done with it (`may`). Here is what
 * is about no one thing, or about many.
 */
import type { Item, User } from '../api/types';
import { repository } from './repository.svelte';
import { selection } from './selection.svelte';
import { shownList } from './shown_list.svelte';

function has(user: User | null, ...permissions: string[]): boolean {
  if (!user) return false;
  if (user.uid === 1 || user.roles.includes('administrator')) return true;
  return permissions.some((permission) => user.permissions.includes(permission));
}

export function mayCreateItem(bundle = 'islandora_object'): boolean {
  return has(repository.user, `create ${bundle} content`, 'bypass node access');
}

/**
 * Whether an act on all that are chosen is offered: each that is read has to allow it. Of those that are not read the
 * server decides one by one; where it is about such alone, it is offered to whoever may do it with some of the list.
 */
export function mayWithChosen(act: 'update' | 'delete'): boolean {
  const { rows } = shownList;
  const chosen: Item[] = [];
  for (const [index, item] of rows.entries()) if (selection.has(item.nid, index)) chosen.push(item);
  if (chosen.length > 0) return chosen.every(({ may }) => may[act]);
  return selection.count > 0 && rows.read.some(({ may }) => may[act]);
}

/** Only those who administer items may say who sees one. */
export function mayPublish(): boolean {
  return has(repository.user, 'administer nodes', 'bypass node access');
}

/** Media of a type, or of any. */
export function mayCreateMedia(mediaType?: string): boolean {
  const types = mediaType ? [mediaType] : Object.keys(repository.model.media_types);
  return has(
    repository.user,
    'create media',
    'administer media',
    ...types.map((type) => `create ${type} media`),
  );
}

/** Some media at least: what goes with an item when it is deleted. */
export function mayDeleteMedia(): boolean {
  return has(repository.user, 'delete any media', 'delete media', 'administer media');
}

export function mayCreateTerm(vocabulary: string): boolean {
  return has(repository.user, `create terms in ${vocabulary}`, 'administer taxonomy');
}

export function mayEditTerm(vocabulary: string): boolean {
  return has(repository.user, `edit terms in ${vocabulary}`, 'administer taxonomy');
}

/** May see and change other people's accounts. */
export function mayAdministerUsers(): boolean {
  return has(repository.user, 'administer users');
}

/** How the server runs is for administrators. */
export function mayRunServer(): boolean {
  return repository.user?.uid === 1 || mayMakeAdministrators();
}

/** Administrators are made, and changed, by administrators. */
export function mayMakeAdministrators(): boolean {
  return repository.user?.roles.includes('administrator') ?? false;
}

export function mayDeleteTerm(vocabulary: string): boolean {
  return has(repository.user, `delete terms in ${vocabulary}`, 'administer taxonomy');
}
