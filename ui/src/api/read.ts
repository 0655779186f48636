import { apiClient, requestResource, unwrap } from './client';
import type { HoldingsReport, ItemQuery } from './types';

export const PAGE_SIZE = 100;

export const readSession = () => unwrap(apiClient().GET('/api/v1/session'));
export const readContentModel = () => unwrap(apiClient().GET('/api/v1/content-model'));
/** What a collection holds with everything below it; without one, what the repository holds. */
export const readHoldings = async (collection: number | null) =>
  (await requestResource<HoldingsReport>('GET', holdingsAddress(collection))).body;

/** The address of a report; `format` is `csv` for a table. */
export function holdingsAddress(collection: number | null, format = 'json'): string {
  const query = new URLSearchParams({ format });
  if (collection !== null) query.set('collection', String(collection));
  return `/api/v1/reports/holdings?${query}`;
}

/** Who an item can be assigned to, by name. */
export const listAssignees = async (nid: number) =>
  (await unwrap(apiClient().GET('/api/v1/items/{nid}/assignees', { params: { path: { nid } } }))).people;

export const readCounts = () => unwrap(apiClient().GET('/api/v1/counts'));

export const listCollections = (parent: number | 'root', after: string | null, limit = 200) =>
  unwrap(
    apiClient().GET('/api/v1/collections', {
      params: { query: { parent: String(parent), after: after ?? undefined, limit } },
    }),
  );

/** Collections with this title directly below another; at most one page of them. */
export const findCollectionsByTitle = async (parent: number | 'root', title: string) => {
  const query = { parent: String(parent), title, limit: 200 };
  return (await unwrap(apiClient().GET('/api/v1/collections', { params: { query } }))).collections;
};

/** How much is below some collections; those that this user may not see are left out. */
export const countBelow = async (nids: number[], signal?: AbortSignal) => {
  if (nids.length === 0) return [];
  const query = { nid: nids.join(',') };
  return (await unwrap(apiClient().GET('/api/v1/collections/counts', { params: { query }, signal }))).counts;
};

export const listItems = (query: ItemQuery, after: string | null, limit = PAGE_SIZE, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/items', {
      params: { query: { ...query, after: after ?? undefined, limit } },
      signal,
    }),
  );

/** A page of items from an offset. */
export const listItemsFromOffset = (query: ItemQuery, offset: number, limit: number, signal?: AbortSignal) =>
  unwrap(apiClient().GET('/api/v1/items', { params: { query: { ...query, offset, limit } }, signal }));

/** How the items of a list are spread over the values of facets, which have commas between them. */
export const countFacets = (
  query: ItemQuery,
  asked: { facets?: string; values?: number; named?: string; histogram?: boolean },
  signal?: AbortSignal,
) => {
  const { fields: _, sort: __, order: ___, ...list } = query;
  return unwrap(
    apiClient().GET('/api/v1/items/facets', { params: { query: { ...list, ...asked } }, signal }),
  );
};

/** What somebody may mean who is still typing. */
export const readSuggestions = (q: string, limit: number, signal?: AbortSignal) =>
  unwrap(apiClient().GET('/api/v1/search/suggestions', { params: { query: { q, limit } }, signal }));

/** Ids of items, at most `MAX_IDS` at once, after a cursor or from an offset. */
export const listItemIds = (
  query: ItemQuery,
  start: { after: string } | { offset: number },
  limit: number,
  signal?: AbortSignal,
) =>
  unwrap(apiClient().GET('/api/v1/items/ids', { params: { query: { ...query, ...start, limit } }, signal }));

export const MAX_IDS = 10_000;

/** The last member of an item in manual order; null where there is none. */
export const readLastMember = async (collection: number) => {
  const query = { view: 'all', collection, sort: 'weight', order: 'asc' } as const;
  const { total } = await listItemsFromOffset(query, Number.MAX_SAFE_INTEGER, 1);
  return total === 0 ? null : ((await listItemsFromOffset(query, total - 1, 1)).items[0] ?? null);
};

/** The offset of an item in a list; null where it is not in the list. */
export const readItemOffset = async (query: ItemQuery, nid: number) => {
  const { fields: _, ...list } = query;
  const answer = await unwrap(
    apiClient().GET('/api/v1/items/position', { params: { query: { ...list, nid } } }),
  );
  return answer.offset ?? null;
};

export const readItem = (nid: number) =>
  unwrap(apiClient().GET('/api/v1/items/{nid}', { params: { path: { nid } } }));

export const listItemMedia = async (nid: number) =>
  (await unwrap(apiClient().GET('/api/v1/items/{nid}/media', { params: { path: { nid } } }))).media;

export const listRevisions = (nid: number, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/items/{nid}/revisions', {
      params: { path: { nid }, query: { after: after ?? undefined } },
      signal,
    }),
  );

export const listTerms = (
  vocabularies: string[],
  q: string,
  limit = 20,
  after: string | null = null,
  signal?: AbortSignal,
) =>
  unwrap(
    apiClient().GET('/api/v1/terms', {
      params: {
        query: { vocabulary: vocabularies.join(',') || undefined, q, limit, after: after ?? undefined },
      },
      signal,
    }),
  );

export const listMedia = (after: string | null, limit = PAGE_SIZE) =>
  unwrap(apiClient().GET('/api/v1/media', { params: { query: { after: after ?? undefined, limit } } }));

/** One media; undefined where it does not exist for this user. */
export const readMedia = async (mid: number) =>
  (await unwrap(apiClient().GET('/api/v1/media', { params: { query: { mid } } }))).media[0];

/** The media whose file has this URI or public URL. */
export const findMediaByAddress = (address: string) =>
  unwrap(apiClient().GET('/api/v1/media', { params: { query: { address } } }));

/** Labels of resources by kind and id; those that are unknown or hidden are absent. */
export const readLabels = async (ids: Record<string, number[]>) => {
  const query = Object.fromEntries(Object.entries(ids).map(([kind, list]) => [kind, list.join(',')]));
  return (await unwrap(apiClient().GET('/api/v1/labels', { params: { query } }))).labels;
};

/** An item as a record of schema.org (docs/HARVESTING.md). */
export const readSchemaOrg = (nid: number, signal: AbortSignal): Promise<unknown> =>
  unwrap(
    apiClient().GET('/api/v1/items/{nid}/records/{record_format}', {
      params: { path: { nid, record_format: 'schema_org' } },
      signal,
    }),
  );
