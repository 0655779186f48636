/** The pages of an item's original file, which can become items of their own. */
import { apiClient, unwrap } from './client';
import type { Batch, ItemPages } from './types';

export const readItemPages = (nid: number): Promise<ItemPages> =>
  unwrap(apiClient().GET('/api/v1/items/{nid}/pages', { params: { path: { nid } }, cache: 'no-store' }));

/** Begins to make the pages into items. `title` names each, with `{title}` and `{page}`. */
export const makeItemPages = (nid: number, title: string): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/items/{nid}/pages', { params: { path: { nid } }, body: { title } }));
