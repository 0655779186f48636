import { requestResource, type ResourceResponse } from './client';
import type { Entity, EntityKind, FieldItem } from './types';

/** Paths and bundle keys of the three kinds of resources that have forms. */
const KINDS = {
  node: { path: '/node', create: '/node', bundleKey: 'type', bundleTarget: 'node_type' },
  media: { path: '/media', create: '/entity/media', bundleKey: 'bundle', bundleTarget: 'media_type' },
  taxonomy_term: {
    path: '/taxonomy/term',
    create: '/taxonomy/term',
    bundleKey: 'vid',
    bundleTarget: 'taxonomy_vocabulary',
  },
} as const;

const JSON_FORMAT = '?_format=json';

export function pathOf(kind: EntityKind, id: number, format: 'json' | 'jsonld' = 'json'): string {
  return `${KINDS[kind].path}/${id}?_format=${format}`;
}

/** The path of the IIIF document of an item; a collection leads from there to its own (docs/IIIF.md). */
export function manifestPath(nid: number): string {
  return `/iiif/presentation/3/node/${nid}/manifest.json`;
}

/** The content type, media type or vocabulary of a resource. */
export function bundleOf(kind: EntityKind, entity: Entity): string {
  return String(entity[KINDS[kind].bundleKey]?.[0]?.target_id ?? '');
}

function bundleItem(kind: EntityKind, bundle: string): Entity {
  const { bundleKey, bundleTarget } = KINDS[kind];
  return { [bundleKey]: [{ target_id: bundle, target_type: bundleTarget }] };
}

export function getEntity(kind: EntityKind, id: number): Promise<ResourceResponse<Entity>> {
  return requestResource<Entity>('GET', pathOf(kind, id));
}

/** The current ETag of a media, for a conditional change. */
export async function etagOfMedia(mid: number): Promise<string | null> {
  return (await getEntity('media', mid)).etag;
}

/** With `takesDefaults`, an item gets the defaults of its collection in the fields that are not given. */
export function createEntity(
  kind: EntityKind,
  bundle: string,
  fields: Entity,
  { takesDefaults = false } = {},
): Promise<ResourceResponse<Entity>> {
  const body = { ...bundleItem(kind, bundle), ...fields };
  const query = JSON_FORMAT + (takesDefaults ? '&defaults=true' : '');
  return requestResource<Entity>('POST', KINDS[kind].create + query, { body });
}

/** Changes the given fields only; 412 when `etag` is outdated. */
export function patchEntity(
  kind: EntityKind,
  id: number,
  bundle: string,
  fields: Entity,
  etag: string | null,
): Promise<ResourceResponse<Entity>> {
  const body = { ...bundleItem(kind, bundle), ...fields };
  return requestResource<Entity>('PATCH', pathOf(kind, id), { body, ifMatch: etag });
}

export async function deleteEntity(kind: EntityKind, id: number): Promise<void> {
  await requestResource('DELETE', pathOf(kind, id));
}

/** Deletes an item with its media and files, as one trash entry. */
export async function deleteItem(nid: number): Promise<void> {
  await requestResource('DELETE', `/api/v1/items/${nid}`);
}

export async function deleteFile(fid: number): Promise<void> {
  await requestResource('DELETE', `/entity/file/${fid}${JSON_FORMAT}`);
}

/** The id of a resource, whatever its kind calls it. */
export function idOf(kind: EntityKind, entity: Entity): number {
  const key = kind === 'node' ? 'nid' : kind === 'media' ? 'mid' : 'tid';
  return Number(entity[key]?.[0]?.value);
}

/** The revision id; 0 for resources without revisions. */
export function versionOf(entity: Entity): number {
  return Number(entity.vid?.[0]?.value ?? entity.revision_id?.[0]?.value ?? 0);
}

export function reference(targetType: string, id: number): FieldItem {
  return { target_id: id, target_type: targetType };
}
