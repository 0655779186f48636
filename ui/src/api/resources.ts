import { resource, type Answer } from './client';
import type { Entity, EntityKind, FieldItem } from './types';

/** Paths and bundle keys of the three kinds of resource that forms edit. */
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

/** Which content type, media type or vocabulary a resource belongs to. */
export function bundleOf(kind: EntityKind, entity: Entity): string {
  return String(entity[KINDS[kind].bundleKey]?.[0]?.target_id ?? '');
}

function bundleItem(kind: EntityKind, bundle: string): Entity {
  const { bundleKey, bundleTarget } = KINDS[kind];
  return { [bundleKey]: [{ target_id: bundle, target_type: bundleTarget }] };
}

export function getEntity(kind: EntityKind, id: number): Promise<Answer<Entity>> {
  return resource<Entity>('GET', pathOf(kind, id));
}

/** The present state of a media, for a change upon it. */
export async function etagOfMedia(mid: number): Promise<string | null> {
  return (await getEntity('media', mid)).etag;
}

export function createEntity(kind: EntityKind, bundle: string, fields: Entity): Promise<Answer<Entity>> {
  const body = { ...bundleItem(kind, bundle), ...fields };
  return resource<Entity>('POST', KINDS[kind].create + JSON_FORMAT, { body });
}

/** Changes only the named fields; 412 when `etag` is no longer the resource's. */
export function patchEntity(
  kind: EntityKind,
  id: number,
  bundle: string,
  fields: Entity,
  etag: string | null,
): Promise<Answer<Entity>> {
  const body = { ...bundleItem(kind, bundle), ...fields };
  return resource<Entity>('PATCH', pathOf(kind, id), { body, ifMatch: etag });
}

export async function deleteEntity(kind: EntityKind, id: number): Promise<void> {
  await resource('DELETE', pathOf(kind, id));
}

/** Deletes an item with its media and their files: one thing in the trash. */
export async function deleteItem(nid: number): Promise<void> {
  await resource('DELETE', `/api/v1/items/${nid}`);
}

export async function deleteFile(fid: number): Promise<void> {
  await resource('DELETE', `/entity/file/${fid}${JSON_FORMAT}`);
}

/** The id of a resource, whatever its kind calls it. */
export function idOf(kind: EntityKind, entity: Entity): number {
  const key = kind === 'node' ? 'nid' : kind === 'media' ? 'mid' : 'tid';
  return Number(entity[key]?.[0]?.value);
}

/** Which revision a state is; 0 for what has none. */
export function versionOf(entity: Entity): number {
  return Number(entity.vid?.[0]?.value ?? entity.revision_id?.[0]?.value ?? 0);
}

export function reference(targetType: string, id: number): FieldItem {
  return { target_id: id, target_type: targetType };
}

/** A new item of the repository's own content type. */
export async function createItem(
  title: string,
  model: number,
  memberOf: number | null,
  status?: boolean,
): Promise<Entity> {
  const fields: Entity = {
    title: [{ value: title }],
    field_model: [reference('taxonomy_term', model)],
  };
  if (memberOf !== null) fields.field_member_of = [reference('node', memberOf)];
  if (status !== undefined) fields.status = [{ value: status }];
  const { body } = await createEntity('node', 'islandora_object', fields);
  return body;
}
