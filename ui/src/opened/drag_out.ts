/** The file of a media, dragged out of the page: into a file manager or another program. */
import type { Media } from '../api/types';
import { copyToDrag, dragCopyOut, inWindow } from '../desktop';
import { toaster } from '../parts/toast.svelte';
import { typeOf } from '../screens/viewer/showing';
import { t } from '../texts';
import { inWords, wantedOf } from './original';

/** Milliseconds after which somebody is told what they are waiting for. */
const PATIENCE = 400;

/** The number of the last drag: one that is begun anew makes the one before it void. */
let latest = 0;

/** A press on an element that can be dragged has become a drag. */
export function dragOut(event: DragEvent, media: Media): void {
  if (!media.file) return event.preventDefault();
  if (!inWindow) return giveAddress(event, media, media.file);
  // The system's own drag takes over from here: only it can give files to other programs.
  event.preventDefault();
  void inWords(() => giveCopy(media, ++latest));
}

/** Browsers that know it make a file of `DownloadURL`; all others take the address. */
function giveAddress({ dataTransfer }: DragEvent, media: Media, file: NonNullable<Media['file']>): void {
  if (!dataTransfer) return;
  const url = new URL(file.download_url, location.href).href;
  // A colon would end the name.
  const name = file.filename.replaceAll(':', '_');
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData('DownloadURL', `${typeOf(media)}:${name}:${url}`);
  dataTransfer.setData('text/uri-list', url);
  dataTransfer.setData('text/plain', url);
}

/** Nothing is offered before it is whole; who lets go meanwhile is told when it is. */
async function giveCopy(media: Media, mine: number): Promise<void> {
  const wanted = await wantedOf(media);
  if (!wanted) return;
  const waiting = setTimeout(() => toaster.say(t.opened.preparing(wanted.filename)), PATIENCE);
  try {
    await copyToDrag(wanted);
  } finally {
    clearTimeout(waiting);
  }
  if (mine !== latest) return;
  if (toaster.message?.text === t.opened.preparing(wanted.filename)) toaster.clear();
  if ((await dragCopyOut(wanted)) === 'late') toaster.say(t.opened.dragAgain(wanted.filename));
}
