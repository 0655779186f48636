/** Query options by name. Arguments are bound here, so that a refetch requests the same. */
import { keepPreviousData } from '@tanstack/svelte-query';
import { listPermissions, listRoles, listUsers, readUser } from './accounts';
import { readImport } from './import';
import { countFailedJobs, listFailedJobs, readBackups, readFixity } from './maintenance';
import { hasCode } from './errors';
import { isPending, readItemJobs } from './jobs';
import { readItemPages } from './pages';
import { listFileVersions, readChanges, readRevision } from './history';
import {
  countFacets,
  listAssignees,
  listItemMedia,
  listItems,
  listItemsFromOffset,
  listMedia,
  listRevisions,
  listTerms,
  PAGE_SIZE,
  readCounts,
  readHoldings,
  readItem,
  readMedia,
} from './read';
import { listSimilarTerms, listTermTree, listUnusedTerms } from './terms';
import { getEntity } from './resources';
import { listRequests, readDiskSpace, readServer } from './server';
import type { EntityKind, Item, ItemJobs, ItemPages, ItemQuery } from './types';
import { listSavedSearches } from './saved_searches';
import { listShareLinks } from './share_links';
import { listTokens } from './tokens';
import { listTrash } from './trash';
import { listWatchedFolders } from './watched_folders';

/** Values of a facet that are asked for at first, and of one that is shown at length. */
const SHORT_FACET = 6;
const LONG_FACET = 200;
const FIRST_PAGE = null as string | null;
const nextCursor = (page: { next?: string | null }) => page.next;

export const holdingsQuery = (collection: number | null, enabled: boolean) => ({
  queryKey: ['holdings', collection],
  queryFn: () => readHoldings(collection),
  enabled,
});

export const countsQuery = () => ({ queryKey: ['counts'], queryFn: readCounts });

export const itemQuery = (nid: number | null) => ({
  queryKey: ['item', nid],
  queryFn: () => readItem(nid ?? 0),
  enabled: nid !== null,
});

/** Who an item can be assigned to. */
export const assigneesQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'assignees'],
  queryFn: () => listAssignees(nid ?? 0),
  enabled: nid !== null,
});

export const itemMediaQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'media'],
  queryFn: () => listItemMedia(nid ?? 0),
  enabled: nid !== null,
});

/** One media; null where it does not exist for this user. */
export const mediaItemQuery = (mid: number) => ({
  queryKey: ['media', mid] as const,
  queryFn: async () => (await readMedia(mid)) ?? null,
});

/** All members of an item in their order, such as the pages of a book. */
export const membersQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'members'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { view: 'all', collection: nid ?? 0, sort: 'weight', order: 'asc' } as const;
    const members: Item[] = [];
    let after = FIRST_PAGE;
    do {
      const page = await listItems(query, after, 200, signal);
      members.push(...page.items);
      after = page.next ?? null;
    } while (after !== null);
    return members;
  },
  enabled: nid !== null,
});

/** How far the pages of an item's original file are items; read again while they are being made. */
export const itemPagesQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'pages'] as const,
  queryFn: () => readItemPages(nid ?? 0),
  enabled: nid !== null,
  refetchInterval: ({ state }: { state: { data?: ItemPages } }) => (state.data?.batch ? 1000 : false),
});

/** The derivative jobs of an item; polled while one of them is pending. */
export const itemJobsQuery = (nid: number | null) => ({
  queryKey: ['item', nid, 'jobs'] as const,
  queryFn: () => readItemJobs(nid ?? 0),
  enabled: nid !== null,
  refetchInterval: ({ state }: { state: { data?: ItemJobs } }) =>
    state.data?.jobs.some((job) => job.enabled && isPending(job.state)) ? 1500 : false,
});

/** `vid` is the revision that the history must reach at least. */
export const revisionsQuery = (nid: number, vid: number) => ({
  queryKey: ['item', nid, 'revisions', vid] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listRevisions(nid, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const entityQuery = (kind: EntityKind, id: number, vid = 0) => ({
  queryKey: [kind === 'node' ? 'item' : kind, id, 'entity', vid],
  queryFn: () => getEntity(kind, id),
});

/** A revision never changes, but labels of resources that it references may. */
export const itemRevisionQuery = (nid: number, vid: number) => ({
  queryKey: ['item', nid, 'state', vid] as const,
  queryFn: () => readRevision('node', nid, vid),
});

/** The difference of two revisions never changes. */
export const revisionChangesQuery = (nid: number, vid: number, since: number | null) => ({
  queryKey: ['changes', nid, vid, since] as const,
  queryFn: () => readChanges(nid, vid, since),
  staleTime: Infinity,
});

export const fileVersionsQuery = (fid: number) => ({
  queryKey: ['media', 'versions', fid] as const,
  queryFn: ({ pageParam }: { pageParam: string | null }) => listFileVersions(fid, pageParam),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

/** Asks again while the index lacks the latest changes, or while there is no index yet. */
const untilIndexed = ({ state }: { state: { data?: { current: boolean }; error: Error | null } }) =>
  state.data?.current === false || hasCode(state.error, 'index_missing') ? 1500 : false;

/** One page of a list by its number; earlier pages are not needed. */
export const itemsPageQuery = (query: ItemQuery, page: number) => ({
  queryKey: ['items', query, page] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    listItemsFromOffset(query, page * PAGE_SIZE, PAGE_SIZE, signal),
  refetchInterval: untilIndexed,
});

/** How a list is spread over facets, and the bars of its dates. */
export const facetsQuery = (query: ItemQuery | null, facets: string[]) => ({
  queryKey: ['facets', query && listOf(query), facets] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const counted = { facets: facets.join(','), values: SHORT_FACET, histogram: true };
    return countFacets(query as ItemQuery, facets.length > 0 ? counted : {}, signal);
  },
  enabled: query !== null,
  placeholderData: keepPreviousData,
  refetchInterval: untilIndexed,
});

/** Many values of one facet, or those in whose names a text stands. */
export const facetValuesQuery = (query: ItemQuery, facet: string, named: string) => ({
  queryKey: ['facets', listOf(query), facet, named] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const asked = { facets: facet, values: LONG_FACET, named: named || undefined };
    return (await countFacets(query, asked, signal)).facets[0] ?? null;
  },
  placeholderData: keepPreviousData,
});

/** Which items are listed, in whatever order. */
const listOf = ({ sort: _, order: __, fields: ___, ...list }: ItemQuery) => list;

/** The exact length of a list whose length is estimated: the server counts when asked beyond the end. */
export const itemTotalQuery = (query: ItemQuery) => ({
  queryKey: ['item-total', { ...query, fields: undefined }] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await listItemsFromOffset({ ...query, fields: undefined }, Number.MAX_SAFE_INTEGER, 1, signal)).total,
  staleTime: 30_000,
});

export const mediaListQuery = () => ({
  queryKey: ['media'],
  queryFn: ({ pageParam }: { pageParam: string | null }) => listMedia(pageParam),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

/** The user's own and those for all; others may save some without a change that is told. */
export const savedSearchesQuery = () => ({
  queryKey: ['saved-searches'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => listSavedSearches(signal),
  refetchInterval: 60_000,
  // Each answer replaces what was changed here since the last one, even where it equals that one.
  structuralSharing: false,
});

export const trashQuery = () => ({
  queryKey: ['trash'] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTrash(pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const usersQuery = (search: string) => ({
  queryKey: ['users', 'list', search] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listUsers(search, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const userQuery = (uid: number) => ({
  queryKey: ['users', uid] as const,
  queryFn: () => readUser(uid),
});

/** Those of an account, or all that the user may see; polled, because each use changes one. */
export const tokensQuery = (user: number | null) => ({
  queryKey: ['tokens', user] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTokens(user, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
  refetchInterval: 30_000,
});

/** Those to an item, or all that the user may see; polled, because each use changes one. */
export const shareLinksQuery = (item: number | null) => ({
  queryKey: ['share_links', item] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listShareLinks(item, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
  refetchInterval: 30_000,
});

export const fixityQuery = (enabled: boolean) => ({ queryKey: ['fixity'], queryFn: readFixity, enabled });

export const importQuery = () => ({ queryKey: ['import'], queryFn: readImport });

export const backupsQuery = (enabled: boolean) => ({ queryKey: ['backups'], queryFn: readBackups, enabled });

/** How many derivative jobs failed. */
export const failureCountQuery = (enabled: boolean) => ({
  queryKey: ['jobs', 'failures'] as const,
  queryFn: countFailedJobs,
  enabled,
});

export const failedJobsQuery = () => ({
  queryKey: ['jobs', 'failed'] as const,
  queryFn: ({ pageParam }: { pageParam: string | null }) => listFailedJobs(pageParam),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

/** Asked anew each time it is shown: somebody may just have made space. */
export const diskSpaceQuery = () => ({ queryKey: ['disk-space'], queryFn: readDiskSpace, staleTime: 0 });

export const serverQuery = (enabled: boolean) => ({ queryKey: ['server'], queryFn: readServer, enabled });

export const requestsQuery = (enabled: boolean) => ({
  queryKey: ['server', 'requests'],
  queryFn: listRequests,
  enabled,
  refetchInterval: 3_000,
});

export const watchedFoldersQuery = (enabled: boolean) => ({
  queryKey: ['watched'],
  queryFn: () => listWatchedFolders(null),
  enabled,
});

/** Asked anew each time it is shown: it counts who has which role. */
export const rolesQuery = (enabled: boolean) => ({
  queryKey: ['roles'],
  queryFn: listRoles,
  enabled,
  staleTime: 0,
});

/** The roles, and the permissions that they can have. */
export const roleFormQuery = (enabled: boolean) => ({
  queryKey: ['roles', 'form'],
  queryFn: async () => {
    const [roles, permissions] = await Promise.all([listRoles(), listPermissions()]);
    return { roles, permissions };
  },
  enabled,
  staleTime: 0,
});

/** The number of all terms of a vocabulary, counted up to 10,000. */
export const termCountQuery = (vocabulary: string) => ({
  queryKey: ['terms', vocabulary, '', 'count'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await listTerms([vocabulary], '', 1, null, signal)).total,
});

/** The terms directly below another one; 0 for those at the top. */
export const termTreeQuery = (vocabulary: string, parent: number) => ({
  queryKey: ['terms', vocabulary, '', 'tree', parent] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTermTree(vocabulary, parent, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const unusedTermsQuery = (vocabulary: string) => ({
  queryKey: ['terms', vocabulary, '', 'unused'] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listUnusedTerms(vocabulary, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const similarTermsQuery = (vocabulary: string) => ({
  queryKey: ['terms', vocabulary, '', 'similar'] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listSimilarTerms(vocabulary, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
});

export const termsQuery = (vocabulary: string, search: string) => ({
  queryKey: ['terms', vocabulary, search] as const,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    listTerms([vocabulary], search, 100, pageParam, signal),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: nextCursor,
  enabled: vocabulary !== '',
});
