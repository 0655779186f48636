import { undoHistory } from '../../state/undo_history.svelte';
import { toaster } from '../../state/toast.svelte';
import { repository } from '../../state/repository.svelte';
import { refreshLists } from '../../state/live_updates';
import { t } from '../../texts';
import { undoAction } from '../undo/undo.svelte';
import { runUndoableBatch } from '../../state/batch_run';
import { runBulk } from './bulk';
import { changeFields } from './field_change';
import { parentsAfterMove, type Move } from './membership';
import { bulkProgress } from './progress_toast';

/** Moves items into a collection, or out of all, as one undoable change. `where` is its name. */
export function moveItems(nids: number[], to: Move, where: string): Promise<void> {
  return undoHistory.during(() => move(nids, to, where));
}

async function move(nids: number[], to: Move, where: string): Promise<void> {
  if (nids.length > 1) return moveMany(nids, to, where);
  const { member_of } = repository.model.field_roles;
  const { done, failures } = await runBulk(
    nids,
    (nid) =>
      changeFields(nid, (before) => {
        const parents = before[member_of] ?? [];
        const values = parentsAfterMove(parents, to);
        return values === parents ? null : { [member_of]: values };
      }),
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

/** Many items are moved by one job of the server. */
async function moveMany(nids: number[], { from, to, keep }: Move, where: string): Promise<void> {
  try {
    const change = { act: 'move', from: from ?? undefined, to: to ?? undefined, keep } as const;
    const name = { what: 'move', title: where } as const;
    const progress = bulkProgress(nids.length, t.move.moving);
    const { batch, left, reason } = await runUndoableBatch({ nids }, change, name, progress);
    refreshLists();
    if (left > 0) {
      const undo = batch.changed > 0 ? undoAction() : undefined;
      toaster.warn(t.move.part(batch.changed, left, reason), undo);
    } else if (batch.changed === 0) toaster.say(t.move.already(where));
    else toaster.say(t.move.done(batch.changed, where, where), undoAction());
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
