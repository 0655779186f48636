import type { QueryClient } from '@tanstack/svelte-query';
import type { Item } from '../api/types';

/** The items of all lists that were read, by number: enough to show a picture of something chosen. */
export function knownItems(client: QueryClient): Map<number, Item> {
  const pages = client.getQueriesData<{ items?: Item[] }>({ queryKey: ['items'] });
  const items = pages.flatMap(([, page]) => page?.items ?? []);
  return new Map(items.map((item) => [item.nid, item]));
}
