import type { QueryClient } from '@tanstack/svelte-query';
import { followChanges, refreshLists } from '../../state/live_updates';
import { notifyDesktop } from '../../state/job_notifications';
import { mayCreateItemIn, mayCreateMedia } from '../../state/permissions';
import { openBatches } from '../../state/open_batches.svelte';
import { repository } from '../../state/repository.svelte';
import { thumbnails } from '../../state/thumbnails.svelte';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { batchEdit } from '../batch_edit/batch_edit.svelte';
import { windowClose } from '../close_window/window_close.svelte';
import { flushDrafts } from '../metadata_form/drafts';
import { workingCopies } from '../open_original/working_copies.svelte';
import { fileDrop } from '../transfers/file_drop.svelte';
import { transferQueue } from '../transfers/transfer_queue.svelte';
import { uploadsLabel } from '../undo/change_label';
import { undo, undoAction } from '../undo/undo.svelte';

/** Connects features that know nothing of each other: uploads with undo, toasts and lists. */
export function connectFeatures(): void {
  fileDrop.isAllowed = ({ kind, nid }) => mayCreateMedia() && (kind === 'item' || mayCreateItemIn(nid));
  // With an event stream, its events refresh the lists, many uploads at a time.
  transferQueue.onuploaded = () => repository.live || refreshLists();
  transferQueue.onbatchdone = (steps) => {
    undoHistory.recordAll(steps);
    toaster.say(uploadsLabel(steps), undoAction());
  };
  transferQueue.onitemremoved = (name) => {
    toaster.say(t.transfers.gaveUp(name));
    refreshLists();
  };
  transferQueue.onidle = (done, need) => {
    const detail = need > 0 ? t.transfers.endedNeed(need) : undefined;
    notifyDesktop({ text: t.transfers.ended(done), detail });
  };
  undo.onmoved = refreshLists;
}

/** Starts everything that listens to the server, the desktop and the page. Returns a function that stops it. */
export function startListeners(client: QueryClient): () => void {
  const stops = [
    followChanges(client),
    openBatches.listen(),
    fileDrop.listen(),
    thumbnails.listen(),
    workingCopies.listen(),
    windowClose.listen(),
  ];
  transferQueue.restore();
  return () => stops.forEach((stop) => stop());
}

/** Whether closing the page now would interrupt work. */
export function isWorking(): boolean {
  return transferQueue.busy || batchEdit.running;
}

/** Stores what the next page restores: the names of waiting files, and drafts. */
export function storeUnfinishedWork(): void {
  transferQueue.rememberWaiting();
  flushDrafts();
}
