import { ServerUnreachable } from '../../api/errors';
import { putPictureAdjustment } from '../../api/picture_adjustment';
import { listItemMedia } from '../../api/read';
import type { Media, PictureAdjustment } from '../../api/types';
import { adjustmentOf, rotated } from '../../media_types/picture_adjustment';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { t } from '../../texts';
import { runBulk } from '../organize_items/bulk';
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
      toaster.warn(reasonOf(error));
      return 'failed';
    }
  });
}

/** Rotates the pictures of items by a quarter, clockwise or back, as one undoable change. */
export function rotateItems(nids: number[], by: 1 | -1): Promise<void> {
  return undoHistory.during(() => rotateAll(nids, by));
}

async function rotateAll(nids: number[], by: 1 | -1): Promise<void> {
  const progress = bulkProgress(nids.length, t.adjust.rotating);
  const { done, failures } = await runBulk(nids, (nid) => rotateItem(nid, by), progress);
  const steps = done.filter((step) => step !== null);
  undoHistory.recordAll(steps);
  refreshLists();
  const [failure] = failures;
  const without = done.length - steps.length;
  const act = steps.length > 0 ? undoAction() : undefined;
  if (failure !== undefined) toaster.warn(t.adjust.part(steps.length, failures.length, failure), act);
  else if (steps.length === 0) toaster.say(t.adjust.nothing);
  else toaster.say(t.adjust.rotated(steps.length, without), act);
}

/** Null where an item has no picture that this user may rotate. */
async function rotateItem(nid: number, by: 1 | -1): Promise<Step | null> {
  const media = await listItemMedia(nid);
  const original = media.find(({ file, may }) => file && may.adjust);
  return original ? putAndDescribe(original, rotated(adjustmentOf(original), by)) : null;
}

function reasonOf(error: unknown): string {
  if (error instanceof ServerUnreachable) return t.failures.unreachable;
  return error instanceof Error ? error.message : String(error);
}

async function putAndDescribe(media: Media, adjustment: PictureAdjustment): Promise<Step | null> {
  const after = adjustmentOf(await putPictureAdjustment(media.mid, adjustment));
  const title = media.node?.title ?? media.name;
  return settingsStep({ kind: 'picture', id: media.mid, title }, { ...adjustmentOf(media) }, { ...after });
}
