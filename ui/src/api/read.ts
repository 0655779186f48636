import { resource } from './client';
import type {
  CollectionPage,
  ContentModel,
  Counts,
  ItemDetail,
  ItemPage,
  ItemQuery,
  Label,
  Media,
  MediaPage,
  Revision,
  Session,
  TermPage,
} from './types';

type Query = Record<string, string | number | boolean | null | undefined>;

async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const suffix = given.length > 0 ? `?${search}` : '';
  return (await resource<T>('GET', `/api/v1/${path}${suffix}`, { signal })).body;
}

export const PAGE = 100;

export const readSession = () => get<Session>('session');
export const readContentModel = () => get<ContentModel>('content-model');
export const readCounts = () => get<Counts>('counts');

export const listCollections = (parent: number | 'root', after: string | null, limit = 200) =>
  get<CollectionPage>('collections', { parent, after, limit });

export const listItems = (query: ItemQuery, after: string | null, limit = PAGE, signal?: AbortSignal) =>
  get<ItemPage>('items', { ...query, after, limit }, signal);

export const readItem = (nid: number) => get<ItemDetail>(`items/${nid}`);

export const listItemMedia = async (nid: number) =>
  (await get<{ media: Media[] }>(`items/${nid}/media`)).media;

export const listRevisions = async (nid: number) =>
  (await get<{ revisions: Revision[] }>(`items/${nid}/revisions`)).revisions;

export const listTerms = (
  vocabularies: string[],
  q: string,
  limit = 20,
  after: string | null = null,
  signal?: AbortSignal,
) => get<TermPage>('terms', { vocabulary: vocabularies.join(','), q, limit, after }, signal);

export const listMedia = (after: string | null, limit = PAGE) => get<MediaPage>('media', { after, limit });

/** Names of things by kind and id; unknown and hidden ones are absent. */
export const readLabels = async (ids: Record<string, number[]>) => {
  const query = Object.fromEntries(Object.entries(ids).map(([kind, list]) => [kind, list.join(',')]));
  return (await get<{ labels: Label[] }>('labels', query)).labels;
};
