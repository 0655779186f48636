import type { QueryClient, QueryFilters } from '@tanstack/svelte-query';

/** Hashes of the queries that are refetched as soon as their first fetch has ended. */
const refetching = new Set<string>();

/**
 * Invalidates queries. A first fetch in progress is not cancelled, since nothing is displayed yet; the query is fetched
 * once more after it, because its answer may be older than the change.
 */
export function invalidate(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  for (const query of client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || refetching.has(query.queryHash)) continue;
    refetching.add(query.queryHash);
    const once = () => {
      refetching.delete(query.queryHash);
      return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.fetch().then(once, once);
  }
  return client.invalidateQueries(filters);
}
