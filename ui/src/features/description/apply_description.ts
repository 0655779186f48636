import type { ItemChange } from '../../api/types';
import { errorText } from '../../state/batch_preview.svelte';
import { runUndoableBatch, type BatchOutcome } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { BatchName } from '../../state/undo_steps';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';

/** Gives values to items, as one undoable change. Fields that others have changed since `seen` keep their values. */
export function applyDescription(
  nids: number[],
  change: ItemChange,
  name: BatchName,
  seen: number | undefined,
): Promise<void> {
  return undoHistory.during(async () => {
    const progress = { ...bulkProgress(nids.length, t.description.applying), seen };
    try {
      report(await runUndoableBatch({ nids }, change, name, progress));
    } catch (error) {
      toaster.warn(errorText(error));
    }
    refreshLists();
  });
}

function report({ batch, left, reason }: BatchOutcome): void {
  const undo = batch.changed > 0 ? undoAction() : undefined;
  if (left > 0) toaster.warn(t.description.part(batch.changed, left, reason), undo);
  else toaster.say(t.description.applied(batch.changed), undo);
}
