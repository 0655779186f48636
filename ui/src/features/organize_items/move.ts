import { undoHistory } from '../../state/undo_history.svelte';
import { toaster } from '../../state/toast.svelte';
import { repository } from '../../state/repository.svelte';
import { refreshLists } from '../../state/live_updates';
import { t } from '../../texts';
import { undoAction } from '../undo/undo.svelte';
import { runBulk } from './bulk';
import { changeField } from './field_change';
import { parentsAfterMove, type Move } from './membership';
import { bulkProgress } from './progress_toast';

/** Moves items into a collection, or out of all, as one undoable change. `where` is its name. */
export function moveItems(nids: number[], to: Move, where: string): Promise<void> {
  return undoHistory.during(() => move(nids, to, where));
}

async function move(nids: number[], to: Move, where: string): Promise<void> {
  const { done, failures } = await runBulk(
    nids,
    (nid) =>
      changeField(nid, repository.model.field_roles.member_of, (before) => parentsAfterMove(before, to)),
    bulkProgress(nids.length, t.move.moving),
  );
  const steps = done.filter((step) => step !== null);
  undoHistory.record(...steps);
  refreshLists();
  const [failure] = failures;
  if (failure !== undefined)
    toaster.warn(
      t.move.part(steps.length, failures.length, failure),
      steps.length > 0 ? undoAction() : undefined,
    );
  else if (steps.length === 0) toaster.say(t.move.already(where));
  else toaster.say(t.move.done(steps.length, steps[0]?.title ?? '', where), undoAction());
}
