/** Changes of many items: one request, one job of the server, and one change to undo. */
import { absoluteUrl, apiClient, expectSuccess, unwrap } from './client';
import type { Batch, BatchItems, ItemChange } from './types';

/** How many items that change are previewed one by one, and how many of the others. */
const EXAMPLES = 200;

/** What a change would do to items; nothing is changed. */
export const previewBatch = (items: BatchItems, change: ItemChange, signal: AbortSignal) =>
  unwrap(
    apiClient().POST('/api/v1/batches/preview', { body: { items, change, examples: EXAMPLES }, signal }),
  );

/** Begins to change items. Fields that somebody else has changed since `seen` keep their values. */
export const beginBatch = (items: BatchItems, change: ItemChange, seen?: number): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/batches', { body: { items, change, seen } }));

export const readBatch = (id: number): Promise<Batch> =>
  unwrap(apiClient().GET('/api/v1/batches/{batch}', { params: { path: { batch: id } }, cache: 'no-store' }));

/** A page of the items of a batch, of one state or of all. */
export const listBatchItems = (
  id: number,
  state?: 'waiting' | 'changed' | 'unchanged' | 'refused',
  after?: string | null,
) =>
  unwrap(
    apiClient().GET('/api/v1/batches/{batch}/items', {
      params: {
        path: { batch: id },
        query: { state, after: after == null ? undefined : Number(after), limit: 200 },
      },
      cache: 'no-store',
    }),
  );

/** The items that were tried last, the last one first. */
export const listLatestItems = async (id: number, limit: number) => {
  const query = { latest: true, limit };
  const answer = apiClient().GET('/api/v1/batches/{batch}/items', {
    params: { path: { batch: id }, query },
    cache: 'no-store',
  });
  return (await unwrap(answer)).items;
};

/** The batches that have not ended and that the user may see. */
export const listOpenBatches = async (): Promise<Batch[]> =>
  (await unwrap(apiClient().GET('/api/v1/batches', { cache: 'no-store' }))).batches;

/** The address of the table that says what became of each item. */
export const batchReportUrl = (id: number): string => absoluteUrl(`/api/v1/batches/${id}/report`);

/** Lets a batch wait. */
export const pauseBatch = (id: number): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/batches/{batch}/pause', { params: { path: { batch: id } } }));

export const resumeBatch = (id: number): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/batches/{batch}/resume', { params: { path: { batch: id } } }));

export const cancelBatch = (id: number): Promise<void> =>
  expectSuccess(apiClient().POST('/api/v1/batches/{batch}/cancel', { params: { path: { batch: id } } }));

/** Begins to take a batch back. The answer is a batch itself. */
export const undoBatch = (id: number): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/batches/{batch}/undo', { params: { path: { batch: id } } }));
