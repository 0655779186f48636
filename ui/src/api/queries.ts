/** Queries by name. Their values are taken when the query is made, so that reading again asks for the same. */
import { listRoles, listUsers, readUser } from './accounts';
import { listItemMedia, listItems, listMedia, listRevisions, listTerms, readCounts, readItem } from './read';
import { getEntity } from './resources';
import { listRequests, readServer } from './server';
import type { EntityKind, ItemQuery } from './types';
import { listWatchedFolders } from './watched';

const FIRST = null as string | null;
const nextOf = (page: { next?: string | null }) => page.next;

export const countsQuery = () => ({ queryKey: ['counts'], queryFn: readCounts });

export const itemQuery = (nid: number | null) => ({
  queryKey: ['item', nid],
  queryFn: () => readItem(nid ?? 0),
  enabled: nid !== null,
});

export const itemMediaQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'media'],
  queryFn: () => listItemMedia(nid ?? 0),
  enabled: nid !== null,
});

/** `vid` is the version that the history has to reach at least. */
export const revisionsQuery = (nid: number, vid: number) => ({
  queryKey: ['item', nid, 'revisions', vid] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listRevisions(nid, pageParam, signal),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

export const entityQuery = (kind: EntityKind, id: number, vid = 0) => ({
  queryKey: [kind === 'node' ? 'item' : kind, id, 'entity', vid],
  queryFn: () => getEntity(kind, id),
});

export const itemsQuery = (query: ItemQuery) => ({
  queryKey: ['items', query] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listItems(query, pageParam, undefined, signal),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

export const mediaQuery = () => ({
  queryKey: ['media'],
  queryFn: ({ pageParam }: { pageParam: string | null }) => listMedia(pageParam),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

export const usersQuery = (search: string) => ({
  queryKey: ['users', 'list', search] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listUsers(search, pageParam, signal),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

export const userQuery = (uid: number) => ({
  queryKey: ['users', uid] as const,
  queryFn: () => readUser(uid),
});

export const serverQuery = (enabled: boolean) => ({ queryKey: ['server'], queryFn: readServer, enabled });

export const requestsQuery = (enabled: boolean) => ({
  queryKey: ['server', 'requests'],
  queryFn: listRequests,
  enabled,
  refetchInterval: 3_000,
});

export const watchedQuery = (enabled: boolean) => ({
  queryKey: ['watched'],
  queryFn: () => listWatchedFolders(null),
  enabled,
});

export const rolesQuery = (enabled: boolean) => ({ queryKey: ['roles'], queryFn: listRoles, enabled });

export const termsQuery = (vocabulary: string, search: string) => ({
  queryKey: ['terms', vocabulary, search] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTerms([vocabulary], search, 100, pageParam, signal),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
  enabled: vocabulary !== '',
});
