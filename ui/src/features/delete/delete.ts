import { hasCode } from '../../api/errors';
import { deleteEntity, deleteFile, deleteItem } from '../../api/resources';
import type { Media } from '../../api/types';
import type { Step } from '../../state/undo_stack';

/** Each function adds the steps of what it has deleted. */

/** Deletes an item, with its media and files if `withFiles` is set. */
export async function deleteItemRecorded(
  nid: number,
  title: string,
  withFiles: boolean,
  steps: Step[],
): Promise<void> {
  const deletion = withFiles ? deleteItem(nid) : deleteEntity('node', nid);
  if (await succeeded(deletion)) steps.push({ act: 'delete', kind: 'node', id: nid, title, withFiles });
}

/** Deletes a media, with its file if `withBytes` is set. */
export async function deleteMediaRecorded(media: Media, withBytes: boolean, steps: Step[]): Promise<void> {
  const { mid, name: title, file } = media;
  if (await succeeded(deleteEntity('media', mid)))
    steps.push({ act: 'delete', kind: 'media', id: mid, title });
  if (withBytes && file && (await succeeded(deleteFile(file.fid))))
    steps.push({ act: 'delete', kind: 'file', id: file.fid, title });
}

/** Answers false where somebody else has deleted it, which is not recorded. */
async function succeeded(deletion: Promise<void>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    return false;
  }
}
