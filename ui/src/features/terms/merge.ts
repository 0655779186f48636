import { mergeTerms } from '../../api/terms';
import type { Term } from '../../api/types';
import { errorText } from '../../state/batch_preview.svelte';
import { batchOutcome } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { batchStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';

/** Merges terms into another one, as one undoable change. */
export function runMerge(into: Term, others: Term[], all: number): Promise<void> {
  return undoHistory.during(async () => {
    try {
      const begun = await mergeTerms(
        into.tid,
        others.map(({ tid }) => tid),
      );
      const progress = bulkProgress(all, t.terms.merge.running);
      const { batch, left, reason } = await batchOutcome(begun, progress);
      if (batch.changed > 0) undoHistory.record(batchStep(batch, { what: 'merge', title: into.name }));
      const undo = batch.changed > 0 ? undoAction() : undefined;
      if (left > 0) toaster.warn(t.terms.merge.part(left, reason), undo);
      else toaster.say(t.terms.merge.done(into.name), undo);
    } catch (error) {
      toaster.warn(errorText(error));
    }
    refreshLists();
  });
}
