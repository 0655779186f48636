/** Changes of a content model. Nothing is changed in place. */
import type { BundleDefinition, FieldDefinition, ModelDefinition } from '../../api/content_model';
import { groupsOf } from '../../fields/field_groups';
import { bundleKey } from '../../state/model_settings';

/** The names of all groups. */
export const groupNames = (fields: FieldDefinition[]): string[] => [
  ...new Set(fields.flatMap(({ group }) => group || [])),
];

/** The model with one bundle changed. */
export function changeBundle(
  model: ModelDefinition,
  key: string,
  change: (bundle: BundleDefinition) => BundleDefinition,
): ModelDefinition {
  return { ...model, bundles: model.bundles.map((one) => (bundleKey(one) === key ? change(one) : one)) };
}

/** Adds a field, or changes the one of that name. */
export function putField(bundle: BundleDefinition, field: FieldDefinition): BundleDefinition {
  const exists = bundle.fields.some(({ name }) => name === field.name);
  const fields = exists
    ? bundle.fields.map((one) => (one.name === field.name ? field : one))
    : [...bundle.fields, field];
  return inOrder({ ...bundle, fields });
}

/** A removed field can be restored, unless it was never saved. */
export function removeField(bundle: BundleDefinition, name: string, wasSaved: boolean): BundleDefinition {
  const field = bundle.fields.find((one) => one.name === name);
  if (!field) return bundle;
  const removed = wasSaved ? [...(bundle.removed_fields ?? []), field] : bundle.removed_fields;
  return { ...bundle, fields: bundle.fields.filter((one) => one !== field), removed_fields: removed };
}

export function restoreField(bundle: BundleDefinition, name: string): BundleDefinition {
  const removed = bundle.removed_fields ?? [];
  const field = removed.find((one) => one.name === name);
  if (!field) return bundle;
  const rest = removed.filter((one) => one !== field);
  return inOrder({ ...bundle, fields: [...bundle.fields, field], removed_fields: rest });
}

/** Moves a field before or behind another one, into the group of that one. */
export function moveBeside(
  bundle: BundleDefinition,
  name: string,
  beside: string,
  after: boolean,
): BundleDefinition {
  const field = bundle.fields.find((one) => one.name === name);
  const target = bundle.fields.find((one) => one.name === beside);
  if (!field || !target || field === target) return bundle;
  const rest = bundle.fields.filter((one) => one !== field);
  const at = rest.indexOf(target) + (after ? 1 : 0);
  return inOrder({
    ...bundle,
    fields: [...rest.slice(0, at), inGroup(field, target.group), ...rest.slice(at)],
  });
}

/** Moves a field by one place. At the end of its group it goes into the next one. */
export function moveBy(bundle: BundleDefinition, name: string, by: -1 | 1): BundleDefinition {
  const { fields } = inOrder(bundle);
  const at = fields.findIndex((one) => one.name === name);
  const [field, next] = [fields[at], fields[at + by]];
  if (!field || !next) return bundle;
  const isSameGroup = (field.group || null) === (next.group || null);
  return moveBeside({ ...bundle, fields }, name, next.name, isSameGroup === by > 0);
}

/** Names a group otherwise, or ends it: null. */
export function renameGroup(bundle: BundleDefinition, group: string, name: string | null): BundleDefinition {
  const fields = bundle.fields.map((one) => (one.group === group ? inGroup(one, name) : one));
  return inOrder({ ...bundle, fields });
}

function inGroup(field: FieldDefinition, group: string | null | undefined): FieldDefinition {
  const { group: _, ...rest } = field;
  return group ? { ...rest, group } : rest;
}

/** With the fields of each group beside each other. */
const inOrder = (bundle: BundleDefinition): BundleDefinition => ({
  ...bundle,
  fields: groupsOf(bundle.fields).flatMap(({ fields }) => fields),
});
