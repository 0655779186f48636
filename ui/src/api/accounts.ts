import { apiClient, unwrap, requestResource } from './client';
import type { Account, AccountChanges, NewAccount } from './types';

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
