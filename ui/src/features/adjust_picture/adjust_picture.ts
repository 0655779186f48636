import { putPictureAdjustment } from '../../api/picture_adjustment';
import type { Media, PictureAdjustment } from '../../api/types';
import { adjustmentOf } from '../../media_display/picture_adjustment';
import { errorText } from '../../state/batch_preview.svelte';
import { runUndoableBatch } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { settingsStep } from '../undo/settings_steps';
import { undoAction } from '../undo/undo.svelte';

/**
 * Keeps the adjustment of an original picture, and says what became of it. One undo sets the former one. Answers whether
 * the server has it now: `same` where it had it before.
 */
export function adjustPicture(
  media: Media,
  adjustment: PictureAdjustment,
): Promise<'kept' | 'same' | 'failed'> {
  return undoHistory.during(async () => {
    try {
      const step = await putAndDescribe(media, adjustment);
      refreshLists();
      if (!step) return 'same';
      undoHistory.record(step);
      const isOriginal = adjustment.rotation === 0 && !adjustment.crop;
      toaster.say(isOriginal ? t.adjust.restored : t.adjust.kept, undoAction());
      return 'kept';
    } catch (error) {
      toaster.warn(errorText(error));
      return 'failed';
    }
  });
}

/** Rotates the pictures of items by a quarter, clockwise or back, as one undoable change. */
export function rotateItems(nids: number[], by: 1 | -1): Promise<void> {
  return undoHistory.during(() => rotateAll(nids, by));
}

async function rotateAll(nids: number[], by: 1 | -1): Promise<void> {
  const change = { act: 'rotate', by: by === 1 ? 90 : 270 } as const;
  const progress = bulkProgress(nids.length, t.adjust.rotating);
  try {
    const { batch, left, reason } = await runUndoableBatch({ nids }, change, { what: 'rotate' }, progress);
    const undo = batch.changed > 0 ? undoAction() : undefined;
    if (left > 0) toaster.warn(t.adjust.part(batch.changed, left, reason), undo);
    else if (batch.changed === 0) toaster.say(t.adjust.nothing);
    else toaster.say(t.adjust.rotated(batch.changed, batch.total - batch.changed), undo);
  } catch (error) {
    toaster.warn(errorText(error));
  }
  refreshLists();
}

async function putAndDescribe(media: Media, adjustment: PictureAdjustment): Promise<Step | null> {
  const after = adjustmentOf(await putPictureAdjustment(media.mid, adjustment));
  const title = media.node?.title ?? media.name;
  return settingsStep({ kind: 'picture', id: media.mid, title }, { ...adjustmentOf(media) }, { ...after });
}
