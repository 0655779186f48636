/** The access tokens of services. */
import { apiClient, requestResource, unwrap } from './client';
import type { IssuedToken, NewToken } from './types';

const PATH = '/api/v1/tokens';

/** Those of an account; without one, all that the user may see. */
export const listTokens = (user: number | null, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET(PATH, {
      params: { query: { user: user ?? undefined, after: after ?? undefined } },
      signal,
    }),
  );

/** Makes an access token; a 422 answer names the fields that are invalid. */
export async function createToken(token: NewToken): Promise<IssuedToken> {
  return (await requestResource<IssuedToken>('POST', PATH, { body: token })).body;
}

export const revokeToken = (id: number) => requestResource<null>('DELETE', `${PATH}/${id}`);
