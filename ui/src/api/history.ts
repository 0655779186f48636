/** Former states, and the trash. */
import { resource } from './client';
import type { Entity, EntityKind } from './types';

const NOUNS: Record<EntityKind, string> = { node: 'items', media: 'media', taxonomy_term: 'terms' };

/** A thing as it was in one of its revisions. */
export async function readState(kind: EntityKind, id: number, vid: number): Promise<Entity> {
  const path = `/api/v1/${NOUNS[kind]}/${id}/revisions/${vid}`;
  return (await resource<{ resource: Entity }>('GET', path)).body.resource;
}

/** Takes something out of the trash again, under its id. */
export async function restore(kind: EntityKind | 'file', id: number): Promise<void> {
  await resource('POST', `/api/v1/trash/${kind}/${id}/restore`);
}
