import { ApiError } from '../../api/errors';
import { deleteEntity, deleteFile } from '../../api/resources';
import type { Media } from '../../api/types';

/** Deletes an item, then the media that were to go with it: a refused item keeps its files. */
export async function eraseItem(nid: number, media: Media[]): Promise<void> {
  await tolerateGone(deleteEntity('node', nid));
  for (const one of media) await eraseMedia(one, true);
}

/** Deletes a medium; with its bytes when asked. */
export async function eraseMedia(media: Media, withBytes: boolean): Promise<void> {
  await tolerateGone(deleteEntity('media', media.mid));
  if (withBytes && media.file) await tolerateGone(deleteFile(media.file.fid));
}

/** What somebody else deleted meanwhile is deleted as well. */
async function tolerateGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
