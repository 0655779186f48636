import { listTemplates } from '../api/templates';
import { mayPublish } from './permissions';

/** Whether everybody may see what is new: as the defaults of its collection say, otherwise only staff. */
export async function isPublicByDefault(collection: number | null): Promise<boolean> {
  // Who may not publish makes what is public, as ever, unless they choose a draft.
  if (!mayPublish()) return true;
  if (collection === null) return false;
  const defaults = (await listTemplates(collection)).find(({ name }) => name === null);
  return defaults?.values.status?.[0]?.value === true;
}
