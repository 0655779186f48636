import { api, data, resource } from './client';
import type { Account, AccountChanges, NewAccount } from './types';

const PATH = '/api/v1/users';

export const listUsers = (q: string, after: string | null, signal?: AbortSignal) =>
  data(api().GET(PATH, { params: { query: { q: q || undefined, after: after ?? undefined } }, signal }));

export const readUser = async (uid: number) => (await resource<Account>('GET', `${PATH}/${uid}`)).body;

export const listRoles = async () => (await data(api().GET('/api/v1/roles'))).roles;

/** Makes an account; 422 names the fields that break a rule. */
export async function createUser(account: NewAccount): Promise<Account> {
  return (await resource<Account>('POST', PATH, { body: account })).body;
}

/** Changes what is named of an account; 422 names the fields that break a rule. */
export async function changeUser(uid: number, changes: AccountChanges): Promise<Account> {
  return (await resource<Account>('PATCH', `${PATH}/${uid}`, { body: changes })).body;
}
