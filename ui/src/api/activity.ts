/** What happened, by whom, through which door. */
import { api, data } from './client';

/** Which changes are told. */
export interface ActivityFilter {
  actor?: number;
  door?: string;
  action?: string;
  kind?: string;
  /** Moments in ISO 8601; the second is not included. */
  since?: string;
  until?: string;
}

/** One page, the newest first; it may be empty and yet not the last. */
export const listActivity = (filter: ActivityFilter, after: string | null, signal?: AbortSignal) =>
  data(
    api().GET('/api/v1/activity', {
      params: { query: { ...filter, after: after === null ? undefined : Number(after) } },
      signal,
      cache: 'no-store',
    }),
  );
