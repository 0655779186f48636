import { apiClient, unwrap, requestResource } from './client';
import type {
  Account,
  AccountChanges,
  NewAccount,
  NewRole,
  OfferedSecondFactor,
  Role,
  RoleChanges,
} from './types';

const PATH = '/api/v1/users';

export const listUsers = (q: string, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET(PATH, { params: { query: { q: q || undefined, after: after ?? undefined } }, signal }),
  );

export const readUser = async (uid: number) => (await requestResource<Account>('GET', `${PATH}/${uid}`)).body;

export const listRoles = async () => (await unwrap(apiClient().GET('/api/v1/roles'))).roles;

/** Creates an account; a 422 answer names the fields that are invalid. */
export async function createUser(account: NewAccount): Promise<Account> {
  return (await requestResource<Account>('POST', PATH, { body: account })).body;
}

/** Changes the given properties of an account; a 422 answer names the fields that are invalid. */
export async function updateUser(uid: number, changes: AccountChanges): Promise<Account> {
  return (await requestResource<Account>('PATCH', `${PATH}/${uid}`, { body: changes })).body;
}

/** A secret for one's own second factor; nothing is kept until it is sent back. */
export const offerSecondFactor = async (uid: number) =>
  (await requestResource<OfferedSecondFactor>('POST', `${PATH}/${uid}/second_factor`)).body;

/** Who has roles in an item or in a collection above it. */
export const listPeopleIn = async (nid: number) =>
  (await unwrap(apiClient().GET('/api/v1/items/{nid}/people', { params: { path: { nid } } }))).people;

const ROLES = '/api/v1/roles';

const pathOfRole = (name: string) => `${ROLES}/${encodeURIComponent(name)}`;

export const listPermissions = async () => (await unwrap(apiClient().GET('/api/v1/permissions'))).permissions;

/** Creates a role; a 422 answer names the fields that are invalid. */
export async function createRole(role: NewRole): Promise<Role> {
  return (await requestResource<Role>('POST', ROLES, { body: role })).body;
}

/** Changes the given properties of a role; a 422 answer names the fields that are invalid. */
export async function updateRole(name: string, changes: RoleChanges): Promise<Role> {
  return (await requestResource<Role>('PATCH', pathOfRole(name), { body: changes })).body;
}

/** Deletes a role that nobody has. */
export async function deleteRole(name: string): Promise<void> {
  await requestResource('DELETE', pathOfRole(name));
}
