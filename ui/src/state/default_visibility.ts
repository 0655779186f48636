import { listTemplates } from '../api/templates';

/** Whether everybody may see what is new: as the defaults of its collection say, otherwise only staff. */
export async function isPublicByDefault(collection: number | null): Promise<boolean> {
  if (collection === null) return false;
  const defaults = (await listTemplates(collection)).find(({ name }) => name === null);
  return defaults?.values.status?.[0]?.value === true;
}
