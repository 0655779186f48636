/** The trash: deleted resources that can be restored. */
import { apiClient, unwrap } from './client';
import type { components } from './schema';

export type TrashEntry = components['schemas']['TrashEntry'];

export const listTrash = (after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/trash', {
      params: { query: { after: after ?? undefined, limit: 200 } },
      signal,
    }),
  );
