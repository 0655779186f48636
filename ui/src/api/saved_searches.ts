/** Saved searches: queries of lists that people keep under a name. */
import { apiClient, requestResource, unwrap } from './client';
import type { NewSavedSearch, SavedSearch, SavedSearchCount } from './types';

const PATH = '/api/v1/saved-searches';
/** The longest page of the list, and how many of them are read. */
const PAGE = 200;
const MAX_PAGES = 5;

/** Those of the user and those for all, by name. */
export async function listSavedSearches(signal?: AbortSignal): Promise<SavedSearch[]> {
  const searches: SavedSearch[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { after, limit: PAGE };
    const { searches: some, next } = await unwrap(apiClient().GET(PATH, { params: { query }, signal }));
    searches.push(...some);
    if (!next) break;
    after = next;
  }
  return searches;
}

/** How many items the user finds by at most ten saved searches. */
export async function countSavedSearches(ids: number[]): Promise<SavedSearchCount[]> {
  const query = { id: ids.join(',') };
  return (await unwrap(apiClient().GET(`${PATH}/counts`, { params: { query } }))).counts;
}

export const readSavedSearch = async (id: number) =>
  (await requestResource<SavedSearch>('GET', `${PATH}/${id}`)).body;

/** Saves a search; a 422 answer names the properties that are invalid. */
export const createSavedSearch = async (search: NewSavedSearch) =>
  (await requestResource<SavedSearch>('POST', PATH, { body: search })).body;

export const updateSavedSearch = async (id: number, change: Partial<NewSavedSearch>) =>
  (await requestResource<SavedSearch>('PATCH', `${PATH}/${id}`, { body: change })).body;

export const deleteSavedSearch = async (id: number) =>
  void (await requestResource('DELETE', `${PATH}/${id}`));

/** Restores a deleted saved search as it was. */
export const restoreSavedSearch = async (id: number) =>
  (await requestResource<SavedSearch>('POST', `${PATH}/${id}/restore`)).body;
