/** The log of changes: what, by whom, through which channel. */
import { apiClient, unwrap } from './client';
import type { Change } from './types';

/** Conditions that listed changes fulfil. */
export interface ActivityFilter {
  actor?: number;
  origin?: Change['origin'];
  action?: Change['action'];
  kind?: Change['kind'];
  /** ISO 8601. `until` is exclusive. */
  since?: string;
  until?: string;
}

/** One page, newest first. It may be empty without being the last. */
export const listActivity = (filter: ActivityFilter, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/activity', {
      params: { query: { ...filter, after: after === null ? undefined : Number(after) } },
      signal,
      cache: 'no-store',
    }),
  );
