/** What is made of original files: small pictures, texts, facts. */
import { api, data } from './client';
import { ApiError } from './errors';

/** Whether something may still come of it by itself. */
export function isUnderway(state: string): boolean {
  return state === 'waiting' || state === 'running';
}

/** How the small pictures of items stand; with `since`, when something has happened (or after 15 seconds). */
export const readPictures = (nids: number[], since: number | null, signal: AbortSignal) =>
  data(
    api().GET('/api/v1/pictures', {
      params: { query: { items: nids.join(','), since: since ?? undefined } },
      signal,
    }),
  );

/** Lets what is made of these items' originals go before everything else. */
export async function lookAt(nids: number[], signal: AbortSignal): Promise<void> {
  const query = { items: nids.join(',') };
  await said(api().POST('/api/v1/jobs/look', { params: { query }, signal }));
}

/** What is made of an item's originals, and why it has no picture. */
export const readItemJobs = (nid: number) =>
  data(api().GET('/api/v1/items/{nid}/jobs', { params: { path: { nid } } }));

/** Gives a job another turn. */
export async function retryJob(id: number): Promise<void> {
  await said(api().POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } }));
}

async function said(pending: Promise<{ response: Response; error?: { message: string } }>): Promise<void> {
  const { response, error } = await pending;
  if (!response.ok) throw new ApiError(response.status, error?.message ?? response.statusText);
}
