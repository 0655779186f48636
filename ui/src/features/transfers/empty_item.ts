import { hasCode } from '../../api/errors';
import { listItemMedia } from '../../api/read';
import { deleteEntity } from '../../api/resources';
import { forgetUnfinished } from './unfinished_uploads';

/** Deletes an item that has no file. Answers false where it has one, and leaves it. */
export async function removeEmptyItem(nid: number): Promise<boolean> {
  try {
    if ((await listItemMedia(nid)).length > 0) return false;
    await deleteEntity('node', nid);
  } catch (error) {
    // Somebody else has deleted it.
    if (!hasCode(error, 'not_found')) throw error;
  }
  forgetUnfinished(nid);
  return true;
}
