import { errorText } from '../../state/batch_preview.svelte';
import { runUndoableBatch } from '../../state/batch_run';
import { currentList } from '../../state/current_list.svelte';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { undoAction } from '../undo/undo.svelte';
import { bulkProgress } from './progress_toast';

/** Duplicates items without their files, as one undoable change. */
export function duplicateItems(nids: number[]): Promise<void> {
  return undoHistory.during(() => duplicate(nids));
}

async function duplicate(nids: number[]): Promise<void> {
  const change = { act: 'duplicate', title: t.items.copyOf('{title}') } as const;
  const name = { what: 'duplicate', title: t.items.copyOf(currentList.titleOf(nids[0])) } as const;
  try {
    const progress = bulkProgress(nids.length, t.items.duplicating);
    const { batch, left, reason } = await runUndoableBatch({ nids }, change, name, progress);
    const undo = batch.changed > 0 ? undoAction() : undefined;
    if (left > 0) toaster.warn(t.items.duplicatedPart(batch.changed, left, reason), undo);
    else toaster.say(t.items.duplicated(batch.changed), undo);
  } catch (error) {
    toaster.warn(errorText(error));
  }
  refreshLists();
}
