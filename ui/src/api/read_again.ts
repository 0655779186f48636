import type { QueryClient, QueryKey } from '@tanstack/svelte-query';

/** What is being read for the first time, and once more after that. */
const again = new Set<string>();

/**
 * Reads again what is shown of a list or a thing. What is being read for the first time goes on, since nothing stands
 * there yet, and is read once more: its answer may be older than what is to be shown.
 */
export function readAgain(client: QueryClient, queryKey?: QueryKey): Promise<void> {
  for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || again.has(query.queryHash)) continue;
    again.add(query.queryHash);
    const once = () => {
      again.delete(query.queryHash);
      return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.fetch().then(once, once);
  }
  return client.invalidateQueries({ queryKey });
}
