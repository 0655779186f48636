import { deleteEntity, getEntity } from '../../api/resources';
import type { ItemDetail } from '../../api/types';
import { runBulk, type BulkResult } from '../organize_items/bulk';
import { changeField } from '../organize_items/field_change';
import { membersOf } from '../organize_items/members';
import { repository } from '../../state/repository.svelte';
import type { Step } from '../../state/undo_stack';
import { deleteItemRecorded } from './delete';

type ProgressCallback = (done: number, all: number) => void;

/** Deletes a collection and moves its members to its parents. */
export async function deleteKeepingMembers(
  collection: ItemDetail,
  onProgress: ProgressCallback,
): Promise<BulkResult<Step>> {
  const { nid, title } = collection;
  const { body } = await getEntity('node', nid);
  const grandparents = (body[repository.model.field_roles.member_of] ?? []).map(
    ({ target_id, target_type }) => ({
      target_id,
      target_type,
    }),
  );
  const members = await membersOf(nid);
  const moved = await runBulk(
    members,
    (member) =>
      changeField(member, repository.model.field_roles.member_of, (parents) => {
        const others = parents.filter((parent) => parent.target_id !== nid);
        const added = grandparents.filter((item) =>
          others.every((other) => other.target_id !== item.target_id),
        );
        return [...others, ...added];
      }),
    { onstep: (done) => onProgress(done, members.length) },
  );
  const steps: Step[] = moved.done.filter((step) => step !== null);
  if (moved.failures.length > 0) return { done: steps, failures: moved.failures };
  await deleteEntity('node', nid);
  return { done: [...steps, { act: 'delete', kind: 'node', id: nid, title }], failures: [] };
}

/**
 * Deletes a collection and its descendants with their files, the innermost first. Members that are in another
 * collection too only leave this one.
 */
export async function deleteWithMembers(
  all: number[],
  onProgress: ProgressCallback,
): Promise<BulkResult<Step>> {
  const deletedIds = new Set(all);
  const steps: Step[] = [];
  const failures: string[] = [];
  for (const [index, nid] of [...all].reverse().entries()) {
    try {
      const left = nid === all[0] ? null : await leaveDeletedCollections(nid, deletedIds);
      if (left) steps.push(left);
      else await deleteWithFiles(nid, steps);
    } catch (error) {
      // The ancestors of what remains are kept.
      failures.push(error instanceof Error ? error.message : String(error));
      break;
    }
    onProgress(index + 1, all.length);
  }
  return { done: steps, failures };
}

async function deleteWithFiles(nid: number, steps: Step[]): Promise<void> {
  const { body } = await getEntity('node', nid);
  await deleteItemRecorded(nid, String(body.title?.[0]?.value ?? nid), true, steps);
}

/** Removes an item from the deleted collections if another one remains; null where it is deleted too. */
function leaveDeletedCollections(nid: number, deletedIds: Set<number>): Promise<Step | null> {
  return changeField(nid, repository.model.field_roles.member_of, (parents) => {
    const others = parents.filter((parent) => parent.url && !deletedIds.has(Number(parent.target_id)));
    return others.length > 0 && others.length < parents.length ? others : parents;
  });
}
