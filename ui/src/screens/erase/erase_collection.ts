import { deleteEntity, getEntity } from '../../api/resources';
import type { ItemDetail } from '../../api/types';
import { each, type Outcome } from '../../arrange/each';
import { changeField } from '../../arrange/field_change';
import { membersOf } from '../../arrange/members';
import type { Step } from '../../undo/change';
import { eraseItem } from './erase';

type Told = (done: number, all: number) => void;

/** Where members go when their collection is deleted: into what that one is in, or nowhere. */
export async function eraseKeepingMembers(collection: ItemDetail, told: Told): Promise<Outcome<Step>> {
  const { nid, title } = collection;
  const { body } = await getEntity('node', nid);
  const above = (body.field_member_of ?? []).map(({ target_id, target_type }) => ({
    target_id,
    target_type,
  }));
  const members = await membersOf(nid);
  const moved = await each(
    members,
    (member) =>
      changeField(member, 'field_member_of', (parents) => {
        const others = parents.filter((parent) => parent.target_id !== nid);
        const news = above.filter((item) => others.every((other) => other.target_id !== item.target_id));
        return [...others, ...news];
      }),
    { step: (done) => told(done, members.length) },
  );
  const steps: Step[] = moved.done.filter((step) => step !== null);
  if (moved.failures.length > 0) return { done: steps, failures: moved.failures };
  await deleteEntity('node', nid);
  return { done: [...steps, { act: 'delete', kind: 'node', id: nid, title }], failures: [] };
}

/**
 * Deletes a collection and what is in it, each with its files, the innermost first. What somebody else has
 * put into another collection as well only leaves this one.
 */
export async function eraseEverything(all: number[], told: Told): Promise<Outcome<Step>> {
  const going = new Set(all);
  const steps: Step[] = [];
  const failures: string[] = [];
  for (const [index, nid] of [...all].reverse().entries()) {
    try {
      const left = nid === all[0] ? null : await leave(nid, going);
      if (left) steps.push(left);
      else await eraseWhole(nid, steps);
    } catch (error) {
      // What is above something that stays stays as well.
      failures.push(error instanceof Error ? error.message : String(error));
      break;
    }
    told(index + 1, all.length);
  }
  return { done: steps, failures };
}

async function eraseWhole(nid: number, steps: Step[]): Promise<void> {
  const { body } = await getEntity('node', nid);
  await eraseItem(nid, String(body.title?.[0]?.value ?? nid), true, steps);
}

/** Takes an item out of the collections that go, if it is in one that stays; null where it goes, too. */
function leave(nid: number, going: Set<number>): Promise<Step | null> {
  return changeField(nid, 'field_member_of', (parents) => {
    const others = parents.filter((parent) => parent.url && !going.has(Number(parent.target_id)));
    return others.length > 0 && others.length < parents.length ? others : parents;
  });
}
