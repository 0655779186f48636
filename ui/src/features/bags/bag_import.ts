import { importBag, type BagImport, type BagSource } from '../../api/bags';
import { errorText } from '../../state/batch_preview.svelte';
import { batchOutcome } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { batchStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';

/** Imports a bag that was checked, as one undoable change. */
export function runBagImport(bag: BagSource, how: BagImport, items: number): Promise<void> {
  return undoHistory.during(async () => {
    try {
      const progress = bulkProgress(items, t.bags.importing);
      const { batch, left, reason } = await batchOutcome(await importBag(bag, how), progress);
      if (batch.changed > 0) undoHistory.record(batchStep(batch, { what: 'bag', title: how.name }));
      const undo = batch.changed > 0 ? undoAction() : undefined;
      if (left > 0) toaster.warn(t.tables.importedPart(batch.changed, left, reason), undo);
      else toaster.say(t.tables.imported(how.name), undo);
    } catch (error) {
      toaster.warn(errorText(error));
    }
    refreshLists();
  });
}
