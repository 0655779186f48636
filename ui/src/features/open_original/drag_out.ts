/** Drags the file of a media out of the page, into a file manager or another program. */
import type { Media } from '../../api/types';
import { copyToDrag, dragCopyOut, inWindow } from '../../desktop';
import { toaster } from '../../state/toast.svelte';
import { mimeOfMedia } from '../../media_display/presentation';
import { t } from '../../texts';
import { warnOnError, workingCopyRequest } from './open_original';

/** Milliseconds before a message says that the copy is being prepared. */
const MESSAGE_DELAY = 400;

/** Number of the latest drag; a new drag cancels the former one. */
let latestDrag = 0;

/** Handler of the `dragstart` event. */
export function dragOut(event: DragEvent, media: Media): void {
  if (!media.file) return event.preventDefault();
  if (!inWindow) return setDragUrl(event, media, media.file);
  // A native drag takes over: only it can pass files to other programs.
  event.preventDefault();
  void warnOnError(() => dragWorkingCopy(media, ++latestDrag));
}

/** Some browsers make a file of `DownloadURL`; the others take the URL. */
function setDragUrl({ dataTransfer }: DragEvent, media: Media, file: NonNullable<Media['file']>): void {
  if (!dataTransfer) return;
  const url = new URL(file.download_url, location.href).href;
  // A colon would end the file name.
  const name = file.filename.replaceAll(':', '_');
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData('DownloadURL', `${mimeOfMedia(media)}:${name}:${url}`);
  dataTransfer.setData('text/uri-list', url);
  dataTransfer.setData('text/plain', url);
}

/**
 * Starts the drag when the copy is complete; a toast asks the user to drag again if the button was released.
 */
async function dragWorkingCopy(media: Media, drag: number): Promise<void> {
  const wanted = await workingCopyRequest(media);
  if (!wanted) return;
  const waiting = setTimeout(() => toaster.say(t.opened.preparing(wanted.filename)), MESSAGE_DELAY);
  try {
    await copyToDrag(wanted);
  } finally {
    clearTimeout(waiting);
  }
  if (drag !== latestDrag) return;
  if (toaster.message?.text === t.opened.preparing(wanted.filename)) toaster.clear();
  if ((await dragCopyOut(wanted)) === 'late') toaster.say(t.opened.dragAgain(wanted.filename));
}
