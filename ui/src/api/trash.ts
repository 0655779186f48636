/** The trash: deleted resources that can be restored. */
import { apiClient, unwrap, requestResource } from './client';
import type { components } from './schema';

export type TrashEntry = components['schemas']['TrashEntry'];

export const listTrash = (after: string | null, signal?: AbortSignal) =>
  unwrap(apiClient().GET('/api/v1/trash', { params: { query: { after: after ?? undefined } }, signal }));

/** Purges one entry. */
export async function purgeEntry(kind: string, id: number): Promise<void> {
  await requestResource('DELETE', `/api/v1/trash/${kind}/${id}`);
}

/** Purges every entry that the user may purge; returns how many were purged and how many are left. */
export async function emptyTrash(): Promise<{ purged: number; left: number }> {
  return (await requestResource<{ purged: number; left: number }>('DELETE', '/api/v1/trash')).body;
}
