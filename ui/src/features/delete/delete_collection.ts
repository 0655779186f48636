import { listItemIds, MAX_IDS } from '../../api/read';
import { deleteEntity, getEntity, reference } from '../../api/resources';
import type { ItemChange, ItemDetail } from '../../api/types';
import { runBatch, runUndoableBatch, type BatchOutcome, type BatchProgress } from '../../state/batch_run';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { batchStep } from '../../state/undo_steps';

/** Deletes items with their files. Those that are in another collection too only leave this one. */
export const DELETE_ALL: ItemChange = { act: 'delete', with_media: true, keep_shared: true };

/** A collection and everything below it. */
export async function withAllBelow(nid: number): Promise<number[]> {
  const query = { view: 'all', collection: nid, below: true, sort: 'nid', order: 'asc' } as const;
  const nids = [nid];
  let start: { after: string } | { offset: number } | null = { offset: 0 };
  while (start) {
    const page: Awaited<ReturnType<typeof listItemIds>> = await listItemIds(query, start, MAX_IDS);
    for (const below of page.nids) nids.push(below);
    start = page.next ? { after: page.next } : null;
  }
  return nids;
}

/** Deletes a collection with all below it, as one undoable change. */
export const deleteWithMembers = (title: string, nids: number[], progress?: BatchProgress) =>
  runUndoableBatch({ nids }, DELETE_ALL, { what: 'delete', title }, progress);

/** Moves the members of a collection to its parents and deletes it, as one undoable change. */
export async function deleteKeepingMembers(
  { nid, title }: ItemDetail,
  progress: BatchProgress,
): Promise<BatchOutcome> {
  const field = repository.model.field_roles.member_of;
  const parents = (await getEntity('node', nid)).body[field] ?? [];
  const values = parents.map((parent) => reference('node', Number(parent.target_id)));
  const change = { act: 'replace', field, find: reference('node', nid), values } as ItemChange;
  const outcome = await runBatch({ list: `collection=${nid}` }, change, progress);
  const moved = outcome.batch.changed > 0 ? [batchStep(outcome.batch, { what: 'move', title })] : [];
  if (outcome.left > 0) {
    undoHistory.record(...moved);
    return outcome;
  }
  try {
    await deleteEntity('node', nid);
  } catch (error) {
    undoHistory.record(...moved);
    throw error;
  }
  undoHistory.record(...moved, { act: 'delete', kind: 'node', id: nid, title });
  return outcome;
}
