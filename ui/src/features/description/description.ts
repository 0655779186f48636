/** Values of some fields that can be given to other items. */
import { bundleOf } from '../../api/resources';
import type { Entity, Field, FieldItem } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { sameValues, wireValues } from '../../fields/values';
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

/** The fields that an item gets, with their new values. Fields that its content type lacks are left out. */
export function changesFor(entity: Entity, values: Entity, mode: FillMode): [Field, FieldItem[]][] {
  return describedFields(bundleOf('node', entity)).flatMap((field): [Field, FieldItem[]][] => {
    const type = fieldType(field.type);
    const [wanted, present] = [wired(field, values[field.name]), wired(field, entity[field.name])];
    if (!type || wanted.length === 0 || (mode === 'fill' && present.length > 0)) return [];
    return sameValues(type, wanted, present) ? [] : [[field, wanted]];
  });
}

function wired(field: Field, items: FieldItem[] = []): FieldItem[] {
  const type = fieldType(field.type);
  return type ? wireValues(type, items) : [];
}
