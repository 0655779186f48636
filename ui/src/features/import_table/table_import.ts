import type { Batch } from '../../api/types';
import { errorText } from '../../state/batch_preview.svelte';
import { batchOutcome } from '../../state/batch_run';
import { dialogs } from '../../state/dialogs.svelte';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { batchStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';

/** Rows of a table whose import is watched in a dialog. */
const MANY_ROWS = 100;

/** What is imported, and how its progress is told. */
interface ImportWords {
  what: 'table' | 'bag';
  progress: (done: number, all: number) => string;
}

/** Imports a file that was checked, as one undoable change. A long import is shown as it goes. */
export function runImport(
  name: string,
  rows: number,
  begin: () => Promise<Batch>,
  isLong = rows >= MANY_ROWS,
  words: ImportWords = { what: 'table', progress: t.tables.importing },
): Promise<void> {
  return undoHistory.during(async () => {
    try {
      const begun = await begin();
      if (isLong) dialogs.open ??= { kind: 'batch', id: begun.id };
      const progress = isLong ? {} : bulkProgress(rows, words.progress);
      const { batch, left, reason } = await batchOutcome(begun, progress);
      if (batch.changed > 0) undoHistory.record(batchStep(batch, { what: words.what, title: name }));
      // Its dialog tells the outcome.
      if (dialogs.open?.kind === 'batch' && dialogs.open.id === begun.id) return refreshLists();
      const undo = batch.changed > 0 ? undoAction() : undefined;
      if (left > 0) toaster.warn(t.tables.importedPart(batch.changed, left, reason), undo);
      else toaster.say(t.tables.imported(name), undo);
    } catch (error) {
      toaster.warn(errorText(error));
    }
    refreshLists();
  });
}
