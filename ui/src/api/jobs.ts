/** Derivative jobs: thumbnails, extracted text and metadata. */
import { apiClient, expectSuccess, unwrap } from './client';

/** Whether a job has not ended yet. */
export function isPending(state: string): boolean {
  return state === 'waiting' || state === 'running';
}

/** The state of items' thumbnails. With `since`, the server answers when it changes, or after 15 seconds. */
export const readThumbnails = (nids: number[], since: number | null, signal: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/pictures', {
      params: { query: { items: nids.join(','), since: since ?? undefined } },
      signal,
    }),
  );

/** Gives the derivative jobs of these items priority. */
export async function prioritizeJobs(nids: number[], signal: AbortSignal): Promise<void> {
  const query = { items: nids.join(',') };
  await expectSuccess(apiClient().POST('/api/v1/jobs/look', { params: { query }, signal }));
}

/** The derivative jobs of an item, and why it has no thumbnail. */
export const readItemJobs = (nid: number) =>
  unwrap(apiClient().GET('/api/v1/items/{nid}/jobs', { params: { path: { nid } } }));

/** Runs a failed job again. */
export async function retryDerivativeJob(id: number): Promise<void> {
  await expectSuccess(apiClient().POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } }));
}
