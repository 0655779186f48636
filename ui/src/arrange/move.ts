import { toaster } from '../parts/toast.svelte';
import { refreshShown } from '../place/live';
import { t } from '../texts';
import { takeBack, undo } from '../undo/undo.svelte';
import { each } from './each';
import { changeField } from './field_change';
import { membersAfter, type Move } from './membership';
import { toldCourse } from './told_course';

/** Puts items into a collection, or nowhere; one undo takes all of it back. `where` is its name. */
export function moveItems(nids: number[], to: Move, where: string): Promise<void> {
  return undo.during(() => move(nids, to, where));
}

async function move(nids: number[], to: Move, where: string): Promise<void> {
  const { done, failures } = await each(
    nids,
    (nid) => changeField(nid, 'field_member_of', (before) => membersAfter(before, to)),
    toldCourse(nids.length, t.move.moving),
  );
  const steps = done.filter((step) => step !== null);
  undo.did(...steps);
  refreshShown();
  const [failure] = failures;
  if (failure !== undefined)
    toaster.warn(
      t.move.part(steps.length, failures.length, failure),
      steps.length > 0 ? takeBack() : undefined,
    );
  else if (steps.length === 0) toaster.say(t.move.already(where));
  else toaster.say(t.move.done(steps.length, steps[0]?.title ?? '', where), takeBack());
}
