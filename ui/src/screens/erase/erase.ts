import { ApiError } from '../../api/errors';
import { deleteEntity, deleteFile, deleteItem } from '../../api/resources';
import type { Media } from '../../api/types';
import type { Step } from '../../undo/change';

/** Each adds what it has deleted to `steps`, in that order. */

/** Deletes an item; with its media and their files as one when asked. */
export async function eraseItem(
  nid: number,
  title: string,
  withFiles: boolean,
  steps: Step[],
): Promise<void> {
  const deletion = withFiles ? deleteItem(nid) : deleteEntity('node', nid);
  if (await isDone(deletion)) steps.push({ act: 'delete', kind: 'node', id: nid, title, withFiles });
}

/** Deletes a medium; with its bytes when asked. */
export async function eraseMedia(media: Media, withBytes: boolean, steps: Step[]): Promise<void> {
  const { mid, name: title, file } = media;
  if (await isDone(deleteEntity('media', mid))) steps.push({ act: 'delete', kind: 'media', id: mid, title });
  if (withBytes && file && (await isDone(deleteFile(file.fid))))
    steps.push({ act: 'delete', kind: 'file', id: file.fid, title });
}

/** What somebody else deleted meanwhile is deleted as well, but not ours to bring back. */
async function isDone(deletion: Promise<void>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return false;
  }
}
