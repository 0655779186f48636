/** Values of some fields that can be given to other items. */
import { bundleOf } from '../../api/resources';
import type { Entity, Field, FieldItem, ItemChange } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { wireValues } from '../../fields/values';
import type { Description } from '../../state/description';
import { repository } from '../../state/repository.svelte';

/** Whether a field that has values keeps them or gets others. */
export type FillMode = 'fill' | 'replace';

/** Field types whose values belong to one item. */
const EXCLUDED_TYPES = ['file', 'image', 'media_track', 'comment'];

/** The fields of a content type that can be given to other items, the common ones first. */
export function describedFields(bundle: string): Field[] {
  const { common } = repository.model.field_roles;
  const rank = (field: Field) => (common.indexOf(field.name) + common.length + 1) % (common.length + 1);
  return (repository.model.node_types[bundle]?.fields ?? [])
    .filter((field) => fieldType(field.type) && !EXCLUDED_TYPES.includes(field.type) && !field.derived)
    .sort((a, b) => rank(a) - rank(b));
}

/** The fields that are rarely the same on two items: they are copied on demand only. */
export function isOwnField(name: string): boolean {
  const { model, member_of, weight } = repository.model.field_roles;
  return ['title', 'status', model, member_of, weight].includes(name);
}

/** The values of an item that can be given to others. */
export function describe(entity: Entity): Description {
  const bundle = bundleOf('node', entity);
  const values: Entity = {};
  for (const field of describedFields(bundle)) {
    const items = wired(field, entity[field.name]);
    if (items.length > 0) values[field.name] = items;
  }
  return { title: String(entity.title?.[0]?.value ?? ''), bundle, values };
}

/** The change that gives values to items; null where there are none. Items without such a field do without. */
export function describeChange(bundle: string, values: Entity, mode: FillMode): ItemChange | null {
  const described = describedFields(bundle).flatMap((field): [string, FieldItem[]][] => {
    const items = wired(field, values[field.name]);
    return items.length > 0 ? [[field.name, items]] : [];
  });
  if (described.length === 0) return null;
  const wanted = Object.fromEntries(described) as Record<string, Record<string, never>[]>;
  return { act: 'describe', values: wanted, replace: mode === 'replace' };
}

function wired(field: Field, items: FieldItem[] = []): FieldItem[] {
  const type = fieldType(field.type);
  return type ? wireValues(type, items) : [];
}
