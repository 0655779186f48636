/** Share links: what people without an account may see. */
import { apiClient, requestResource, unwrap } from './client';
import type { IssuedShareLink, NewShareLink, OpenedLink } from './types';

const PATH = '/api/v1/share_links';
const PRESENTED = '/api/v1/session/link';

/** Those to an item; without one, those that the user may see. */
export const listShareLinks = (item: number | null, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET(PATH, {
      params: { query: { item: item ?? undefined, after: after ?? undefined } },
      signal,
    }),
  );

/** Makes a share link; a 422 answer names the fields that are invalid. */
export async function createShareLink(link: NewShareLink): Promise<IssuedShareLink> {
  return (await requestResource<IssuedShareLink>('POST', PATH, { body: link })).body;
}

export const revokeShareLink = (id: number) => requestResource<null>('DELETE', `${PATH}/${id}`);

/** Opens a share link; the browser stores its cookie. */
export async function openShareLink(key: string): Promise<OpenedLink> {
  return (await requestResource<OpenedLink>('POST', PRESENTED, { body: { key } })).body;
}

export const leaveShareLink = () => requestResource<null>('DELETE', PRESENTED);
