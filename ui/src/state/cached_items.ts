import type { QueryClient } from '@tanstack/svelte-query';
import type { Item } from '../api/types';

/** Items in the query cache by id, such as for the thumbnails of selected items. */
export function cachedItems(client: QueryClient): Map<number, Item> {
  const pages = client.getQueriesData<{ items?: Item[] }>({ queryKey: ['items'] });
  const items = pages.flatMap(([, page]) => page?.items ?? []);
  return new Map(items.map((item) => [item.nid, item]));
}
