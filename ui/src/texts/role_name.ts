import type { Account } from '../api/types';
import { t } from '.';

/** The name of a role of an account: in the reader's language where the program brings the role. */
export const roleName = ({ label }: { label: string }): string =>
  Object.hasOwn(t.people.shippedRoles, label) ? (t.people.shippedRoles[label] ?? label) : label;

/** All roles of an account, those in collections with the collection. */
export function roleNames({ roles, collection_roles }: Account): string[] {
  const { gone, of } = t.people.inCollections;
  const there = collection_roles.map(({ role, title }) => of(roleName(role), title ?? gone));
  return [...roles.map(roleName), ...there];
}
