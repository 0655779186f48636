/** Queries by name. Their values are taken when the query is made, so that reading again asks for the same. */
import { listRoles, listUsers, readUser } from './accounts';
import { listFailedJobs, readBackups, readFixity } from './care';
import { isUnderway, readItemJobs } from './jobs';
import { listFileVersions, readChanges, readState } from './history';
import {
  listItemMedia,
  listItems,
  listItemsAt,
  listMedia,
  listRevisions,
  listTerms,
  PAGE,
  readCounts,
  readItem,
  readMedia,
} from './read';
import { getEntity } from './resources';
import { listRequests, readServer } from './server';
import type { EntityKind, Item, ItemJobs, ItemQuery } from './types';
import { listTrash } from './trash';
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

/** One media; null where it is not there for this viewer. */
export const oneMediaQuery = (mid: number) => ({
  queryKey: ['media', mid] as const,
  queryFn: async () => (await readMedia(mid)) ?? null,
});

/** All members of an item in their order: the pages of a book. */
export const membersQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'members'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { view: 'all', collection: nid ?? 0, sort: 'weight', order: 'asc' } as const;
    const members: Item[] = [];
    let after = FIRST;
    do {
      const page = await listItems(query, after, 200, signal);
      members.push(...page.items);
      after = page.next ?? null;
    } while (after !== null);
    return members;
  },
  enabled: nid !== null,
});

/** What is made of an item's originals; read again as long as something of it is on its way. */
export const itemJobsQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'jobs'] as const,
  queryFn: () => readItemJobs(nid ?? 0),
  enabled: nid !== null,
  refetchInterval: ({ state }: { state: { data?: ItemJobs } }) =>
    state.data?.jobs.some((job) => job.enabled && isUnderway(job.state)) ? 1500 : false,
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

/** A state of an item never changes; what it names may have another name since. */
export const itemStateQuery = (nid: number, vid: number) => ({
  queryKey: ['item', nid, 'state', vid] as const,
  queryFn: () => readState('node', nid, vid),
});

/** Two states never differ otherwise than they did. */
export const changesQuery = (nid: number, vid: number, since: number | null) => ({
  queryKey: ['changes', nid, vid, since] as const,
  queryFn: () => readChanges(nid, vid, since),
  staleTime: Infinity,
});

export const fileVersionsQuery = (fid: number) => ({
  queryKey: ['media', 'versions', fid] as const,
  queryFn: ({ pageParam }: { pageParam: string | null }) => listFileVersions(fid, pageParam),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

/** One page of a list, by its number: any can be read without those before it. */
export const itemsPageQuery = (query: ItemQuery, page: number) => ({
  queryKey: ['items', query, page] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => listItemsAt(query, page * PAGE, PAGE, signal),
});

/** How long a list is of which the server only estimates it: told exactly behind the end. */
export const itemTotalQuery = (query: ItemQuery) => ({
  queryKey: ['item-total', { ...query, fields: undefined }] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await listItemsAt({ ...query, fields: undefined }, Number.MAX_SAFE_INTEGER, 1, signal)).total,
  staleTime: 30_000,
});

export const mediaQuery = () => ({
  queryKey: ['media'],
  queryFn: ({ pageParam }: { pageParam: string | null }) => listMedia(pageParam),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
});

export const trashQuery = () => ({
  queryKey: ['trash'] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTrash(pageParam, signal),
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

export const fixityQuery = (enabled: boolean) => ({ queryKey: ['fixity'], queryFn: readFixity, enabled });

export const backupsQuery = (enabled: boolean) => ({ queryKey: ['backups'], queryFn: readBackups, enabled });

export const failedJobsQuery = () => ({
  queryKey: ['jobs', 'failed'] as const,
  queryFn: ({ pageParam }: { pageParam: string | null }) => listFailedJobs(pageParam),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
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
