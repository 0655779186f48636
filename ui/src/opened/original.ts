/** The file of a media, in the program or the file manager of this computer. Only in the window. */
import { listItemMedia } from '../api/read';
import { etagOfMedia } from '../api/resources';
import type { Media } from '../api/types';
import { openInProgram, showInFileManager } from '../desktop';
import { toaster } from '../parts/toast.svelte';
import { shelfOf } from '../screens/viewer/shelf';
import { showingOf, typeOf } from '../screens/viewer/showing';
import { t } from '../texts';

/** Opens a copy in its own program; what is saved there is offered as a replacement. */
export function openOriginal(media: Media): Promise<void> {
  return inWords(async () => {
    const wanted = await wantedOf(media);
    if (!wanted) return;
    await openInProgram(wanted);
    toaster.say(
      wanted.mayReplace ? t.opened.opened(wanted.filename) : t.opened.openedToRead(wanted.filename),
    );
  });
}

/** As `openOriginal`, for the file that an item is about. */
export function openOriginalOf(nid: number): Promise<void> {
  return inWords(async () => {
    const showing = showingOf(shelfOf(await listItemMedia(nid)));
    if ('original' in showing) await openOriginal(showing.original);
    else toaster.say(t.viewer.notShown.nothing);
  });
}

export function showOriginal(media: Media): Promise<void> {
  return inWords(async () => {
    const wanted = await wantedOf(media);
    if (wanted && !(await showInFileManager(wanted))) toaster.say(t.opened.shownCopy);
  });
}

/** What the window has to know to make a copy of it; null where there is nothing to copy. */
export async function wantedOf(media: Media) {
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
    mime: typeOf(media),
    etag: await etagOfMedia(media.mid),
    mayReplace: uses.length > 0 && media.may.replace,
  };
}

/** Says why it could not be done. */
export async function inWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
