/** Former states, and the trash. */
import { api, data, resource } from './client';
import type { components } from './schema';
import type { Entity, EntityKind } from './types';

export type FileVersion = components['schemas']['FileVersion'];
export type SignedVersion = components['schemas']['SignedVersion'];

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

/** How one state of an item differs from another; from nothing where it is the first. */
export const readChanges = (nid: number, vid: number, since: number | null) =>
  data(
    api().GET('/api/v1/items/{nid}/revisions/{vid}/changes', {
      params: { path: { nid, vid }, query: { since: since === null ? undefined : String(since) } },
    }),
  );

/** Writes the values of a former state, all or those of some fields; 412 when `etag` is no longer the resource's. */
export async function revertTo(
  kind: EntityKind,
  id: number,
  vid: number,
  etag: string | null,
  fields?: string[],
): Promise<Entity> {
  const path = `/api/v1/${NOUNS[kind]}/${id}/revisions/${vid}/revert`;
  return (await resource<Entity>('POST', path, { body: { fields }, ifMatch: etag })).body;
}

/** The bytes that a file had, the newest first. */
export const listFileVersions = (fid: number, after: string | null) =>
  data(
    api().GET('/api/v1/files/{fid}/versions', {
      params: { path: { fid }, query: { after: after ?? undefined } },
    }),
  );

/** The states of a media, the newest first. */
export const listMediaRevisions = (mid: number, after: string | null) =>
  data(
    api().GET('/api/v1/media/{mid}/revisions', {
      params: { path: { mid }, query: { after: after ?? undefined } },
    }),
  );

/** The bytes that a media showed in one of its states. */
export async function filesOfState(mid: number, vid: number): Promise<FileVersion[]> {
  return (await resource<{ files: FileVersion[] }>('GET', `/api/v1/media/${mid}/revisions/${vid}`)).body
    .files;
}
