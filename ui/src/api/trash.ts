/** What was deleted, until the trash is emptied. */
import { api, data, resource } from './client';
import type { components } from './schema';

export type TrashEntry = components['schemas']['TrashEntry'];

export const listTrash = (after: string | null, signal?: AbortSignal) =>
  data(api().GET('/api/v1/trash', { params: { query: { after: after ?? undefined } }, signal }));

/** Removes one thing for good. */
export async function purge(kind: string, id: number): Promise<void> {
  await resource('DELETE', `/api/v1/trash/${kind}/${id}`);
}

/** Removes for good what the person may; answers how many things went, and how many stay. */
export async function emptyTrash(): Promise<{ purged: number; left: number }> {
  return (await resource<{ purged: number; left: number }>('DELETE', '/api/v1/trash')).body;
}
