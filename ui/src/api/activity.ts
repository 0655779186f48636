/** The log of changes: what, by whom, through which channel. */
import { requestResource } from './client';
import type { Activity, Change } from './types';

/** Conditions that listed changes fulfil. */
export interface ActivityFilter {
  actor?: number;
  origin?: Change['origin'];
  action?: Change['action'];
  kind?: Change['kind'];
  /** Number of a collection, which stands for everything below it, too. */
  collection?: number;
  /** ISO 8601. `until` is exclusive. */
  since?: string;
  until?: string;
}

/** The address of the changes in a format; `csv` is a table of all of them. */
export function activityAddress(filter: ActivityFilter, more: Record<string, string>): string {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  return `/api/v1/activity?${query}`;
}

/** One page, newest first. It may be empty without being the last. */
export async function listActivity(
  filter: ActivityFilter,
  after: string | null,
  signal?: AbortSignal,
): Promise<Activity> {
  const path = activityAddress(filter, after === null ? {} : { after });
  return (await requestResource<Activity>('GET', path, { signal })).body;
}
