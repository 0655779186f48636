import { api, data } from './client';
import type { ItemQuery } from './types';

/** Items in one page of a list. */
export const PAGE = 100;

export const readSession = () => data(api().GET('/api/v1/session'));
export const readContentModel = () => data(api().GET('/api/v1/content-model'));
export const readCounts = () => data(api().GET('/api/v1/counts'));

export const listCollections = (parent: number | 'root', after: string | null, limit = 200) =>
  data(
    api().GET('/api/v1/collections', {
      params: { query: { parent: String(parent), after: after ?? undefined, limit } },
    }),
  );

/** The collections of a title, one level deep; more than a page of them have no name between them. */
export const collectionsTitled = async (parent: number | 'root', title: string) => {
  const query = { parent: String(parent), title, limit: 200 };
  return (await data(api().GET('/api/v1/collections', { params: { query } }))).collections;
};

export const listItems = (query: ItemQuery, after: string | null, limit = PAGE, signal?: AbortSignal) =>
  data(
    api().GET('/api/v1/items', { params: { query: { ...query, after: after ?? undefined, limit } }, signal }),
  );

/** A page of items at any place of a list. */
export const listItemsAt = (query: ItemQuery, offset: number, limit: number, signal?: AbortSignal) =>
  data(api().GET('/api/v1/items', { params: { query: { ...query, offset, limit } }, signal }));

/** Numbers of items, up to `MOST_IDS` at once: behind a cursor, or at any place of a list. */
export const listItemIds = (
  query: ItemQuery,
  start: { after: string } | { offset: number },
  limit: number,
  signal?: AbortSignal,
) => data(api().GET('/api/v1/items/ids', { params: { query: { ...query, ...start, limit } }, signal }));

export const MOST_IDS = 10_000;

/** How many items of a list stand before one; null where it does not stand in the list. */
export const readPosition = async (query: ItemQuery, nid: number) => {
  const { fields: _, ...list } = query;
  const answer = await data(api().GET('/api/v1/items/position', { params: { query: { ...list, nid } } }));
  return answer.offset ?? null;
};

export const readItem = (nid: number) =>
  data(api().GET('/api/v1/items/{nid}', { params: { path: { nid } } }));

export const listItemMedia = async (nid: number) =>
  (await data(api().GET('/api/v1/items/{nid}/media', { params: { path: { nid } } }))).media;

export const listRevisions = (nid: number, after: string | null, signal?: AbortSignal) =>
  data(
    api().GET('/api/v1/items/{nid}/revisions', {
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
  data(
    api().GET('/api/v1/terms', {
      params: {
        query: { vocabulary: vocabularies.join(',') || undefined, q, limit, after: after ?? undefined },
      },
      signal,
    }),
  );

export const listMedia = (after: string | null, limit = PAGE) =>
  data(api().GET('/api/v1/media', { params: { query: { after: after ?? undefined, limit } } }));

/** One media by its number; undefined where it is not there for this viewer. */
export const readMedia = async (mid: number) =>
  (await data(api().GET('/api/v1/media', { params: { query: { mid } } }))).media[0];

/** The media that hold the file of a URI or public address. */
export const listMediaAt = (address: string) =>
  data(api().GET('/api/v1/media', { params: { query: { address } } }));

/** Names of things by kind and id; unknown and hidden ones are absent. */
export const readLabels = async (ids: Record<string, number[]>) => {
  const query = Object.fromEntries(Object.entries(ids).map(([kind, list]) => [kind, list.join(',')]));
  return (await data(api().GET('/api/v1/labels', { params: { query } }))).labels;
};
