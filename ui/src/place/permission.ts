/** Which acts to offer. The server decides; this only keeps acts away that it would refuse. */
import type { Entity, User } from '../api/types';
import { repository } from './repository.svelte';

function has(user: User | null, ...permissions: string[]): boolean {
  if (!user) return false;
  if (user.uid === 1 || user.roles.includes('administrator')) return true;
  return permissions.some((permission) => user.permissions.includes(permission));
}

const owns = (user: User | null, entity: Entity): boolean =>
  user !== null && Number(entity.uid?.[0]?.target_id) === user.uid;

export function mayCreateItem(bundle = 'islandora_object'): boolean {
  return has(repository.user, `create ${bundle} content`, 'bypass node access');
}

export function mayEditItem(bundle: string, entity: Entity | null): boolean {
  const { user } = repository;
  if (has(user, `edit any ${bundle} content`, 'bypass node access')) return true;
  return entity !== null && owns(user, entity) && has(user, `edit own ${bundle} content`);
}

export function mayDeleteItem(bundle: string, entity: Entity | null): boolean {
  const { user } = repository;
  if (has(user, `delete any ${bundle} content`, 'bypass node access')) return true;
  return entity !== null && owns(user, entity) && has(user, `delete own ${bundle} content`);
}

/** May delete what is their own: whose an item is has to be asked first. */
export function mayDeleteOwnItems(bundle: string): boolean {
  return has(repository.user, `delete own ${bundle} content`);
}

/** Only those who administer items may say who sees one. */
export function mayPublish(): boolean {
  return has(repository.user, 'administer nodes', 'bypass node access');
}

export function mayCreateMedia(mediaType?: string): boolean {
  const own = mediaType ? [`create ${mediaType} media`] : [];
  return has(repository.user, 'create media', 'administer media', ...own);
}

export function mayEditMedia(mediaType: string, entity: Entity | null): boolean {
  const { user } = repository;
  const any = [`${mediaType}: edit any media`, `edit any ${mediaType} media`];
  if (has(user, 'update any media', 'administer media', ...any)) return true;
  const own = ['update media', `${mediaType}: edit own media`, `edit own ${mediaType} media`];
  return entity !== null && owns(user, entity) && has(user, ...own);
}

export function mayDeleteMedia(mediaType: string): boolean {
  const { user } = repository;
  return has(user, 'delete any media', 'delete media', 'administer media', `delete any ${mediaType} media`);
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
