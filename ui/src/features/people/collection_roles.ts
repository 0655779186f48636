import type { Account, AccountChanges } from '../../api/types';

type CollectionRoles = Account['collection_roles'];

/** Roles in collections as they are sent, in order. */
export function sentRoles(roles: CollectionRoles): NonNullable<AccountChanges['collection_roles']> {
  const sent = roles.map(({ collection, role }) => ({ collection, role: role.name }));
  return sent.sort((a, b) => a.collection - b.collection || (a.role < b.role ? -1 : 1));
}

/** What changes of roles in collections, if anything does. */
export function collectionRoleChanges(before: CollectionRoles, after: CollectionRoles): AccountChanges {
  const [was, is] = [sentRoles(before), sentRoles(after)];
  return JSON.stringify(was) === JSON.stringify(is) ? {} : { collection_roles: is };
}
