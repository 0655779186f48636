import { forEachConcurrently } from '../../api/concurrency';
import { getEntity } from '../../api/resources';
import type { Entity } from '../../api/types';
import { changesFor, type FillMode } from './description';

/** Maximum number of items that are read for the preview. */
export const MAX_PREVIEWED = 200;

export interface PreviewCounts {
  /** Items that change. */
  items: number;
  /** Items that change, by field. */
  fields: Record<string, number>;
}

/** Reads the items of a preview; those that cannot be read are left out, and refused when they are changed. */
export async function readPreviewed(nids: number[], signal: AbortSignal): Promise<Entity[]> {
  const entities: Entity[] = [];
  await forEachConcurrently(
    nids.slice(0, MAX_PREVIEWED),
    async (nid) => {
      const found = await getEntity('node', nid).catch(() => null);
      if (found) entities.push(found.body);
    },
    signal,
  );
  return entities;
}

export function countChanges(entities: Entity[], values: Entity, mode: FillMode): PreviewCounts {
  const counts: PreviewCounts = { items: 0, fields: {} };
  for (const entity of entities) {
    const changes = changesFor(entity, values, mode);
    if (changes.length > 0) counts.items += 1;
    for (const [{ name }] of changes) counts.fields[name] = (counts.fields[name] ?? 0) + 1;
  }
  return counts;
}
