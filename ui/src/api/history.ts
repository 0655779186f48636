/** Revisions of metadata, versions of files, and restoring from the trash. */
import { apiClient, unwrap, requestResource } from './client';
import type { components } from './schema';
import type { Entity, EntityKind } from './types';

export type FileVersion = components['schemas']['FileVersion'];
export type SignedVersion = components['schemas']['SignedVersion'];

const PATH_SEGMENTS: Record<EntityKind, string> = { node: 'items', media: 'media', taxonomy_term: 'terms' };

/** A resource as it was in a revision. */
export async function readRevision(kind: EntityKind, id: number, vid: number): Promise<Entity> {
  const path = `/api/v1/${PATH_SEGMENTS[kind]}/${id}/revisions/${vid}`;
  return (await requestResource<{ resource: Entity }>('GET', path)).body.resource;
}

/** Restores a resource from the trash, under its former id. */
export async function restoreFromTrash(kind: EntityKind | 'file', id: number): Promise<void> {
  await requestResource('POST', `/api/v1/trash/${kind}/${id}/restore`);
}

/** How a revision differs from an earlier one; from nothing where it is the first. */
export const readChanges = (nid: number, vid: number, since: number | null) =>
  unwrap(
    apiClient().GET('/api/v1/items/{nid}/revisions/{vid}/changes', {
      params: { path: { nid, vid }, query: { since: since ?? undefined } },
    }),
  );

/** Writes the values of an earlier revision, of all or some fields; 412 when `etag` is outdated. */
export async function revertToRevision(
  kind: EntityKind,
  id: number,
  vid: number,
  etag: string | null,
  fields?: string[],
): Promise<Entity> {
  const path = `/api/v1/${PATH_SEGMENTS[kind]}/${id}/revisions/${vid}/revert`;
  return (await requestResource<Entity>('POST', path, { body: { fields }, ifMatch: etag })).body;
}

/** The versions of a file, newest first. */
export const listFileVersions = (fid: number, after: string | null) =>
  unwrap(
    apiClient().GET('/api/v1/files/{fid}/versions', {
      params: { path: { fid }, query: { after: after ?? undefined } },
    }),
  );

/** The revisions of a media, newest first. */
export const listMediaRevisions = (mid: number, after: string | null) =>
  unwrap(
    apiClient().GET('/api/v1/media/{mid}/revisions', {
      params: { path: { mid }, query: { after: after ?? undefined } },
    }),
  );

/** The file versions that a media had in a revision. */
export async function filesOfMediaRevision(mid: number, vid: number): Promise<FileVersion[]> {
  return (await requestResource<{ files: FileVersion[] }>('GET', `/api/v1/media/${mid}/revisions/${vid}`))
    .body.files;
}
