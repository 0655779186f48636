/** Opens the file of a media in a program or the file manager of this computer. Only in the window. */
import { listItemMedia } from '../../api/read';
import { etagOfMedia } from '../../api/resources';
import type { Media } from '../../api/types';
import { openInProgram, showInFileManager } from '../../desktop';
import { toaster } from '../../state/toast.svelte';
import { toItemMedia } from '../../state/item_media';
import { presentationOf, mimeOfMedia } from '../../media_display/presentation';
import { t } from '../../texts';

/** Opens a working copy in its default program; a saved change is offered as a replacement. */
export function openOriginal(media: Media): Promise<void> {
  return warnOnError(async () => {
    const request = await workingCopyRequest(media);
    if (!request) return;
    await openInProgram(request);
    toaster.say(
      request.mayReplace ? t.opened.opened(request.filename) : t.opened.openedToRead(request.filename),
    );
  });
}

/** Like `openOriginal`, for the original of an item. */
export function openOriginalOfItem(nid: number): Promise<void> {
  return warnOnError(async () => {
    const presentation = presentationOf(toItemMedia(await listItemMedia(nid)));
    if ('original' in presentation) await openOriginal(presentation.original);
    else toaster.say(t.viewer.notShown.nothing);
  });
}

export function showOriginalInFileManager(media: Media): Promise<void> {
  return warnOnError(async () => {
    const request = await workingCopyRequest(media);
    if (request && !(await showInFileManager(request))) toaster.say(t.opened.shownCopy);
  });
}

/** What the window needs to make a working copy; null where there is no file. */
export async function workingCopyRequest(media: Media) {
  const { file, node, uses } = media;
  if (!file || !node) return null;
  return {
    url: file.download_url,
    fid: file.fid,
    mid: media.mid,
    nid: node.nid,
    itemTitle: node.title,
    mediaType: media.bundle,
    useTid: uses[0]?.tid ?? null,
    filename: file.filename,
    mime: mimeOfMedia(media),
    etag: await etagOfMedia(media.mid),
    mayReplace: uses.length > 0 && media.may.replace,
  };
}

/** Displays the error of failed work. */
export async function warnOnError(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
