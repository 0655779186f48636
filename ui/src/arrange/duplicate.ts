import { bundleOf, createEntity, getEntity } from '../api/resources';
import type { Entity } from '../api/types';
import { fieldType } from '../fields/registry';
import { wireValues } from '../forms/values';
import { toaster } from '../parts/toast.svelte';
import { refreshShown } from '../place/live';
import { mayPublish } from '../place/permission';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';
import { newStep } from '../undo/step_of';
import { takeBack, undo } from '../undo/undo.svelte';
import { each } from './each';
import { toldCourse } from './told_course';

/** Makes items with the same description, without their files; one undo takes them back. */
export function duplicateItems(nids: number[]): Promise<void> {
  return undo.during(() => duplicate(nids));
}

async function duplicate(nids: number[]): Promise<void> {
  const { done, failures } = await each(nids, copyOf, toldCourse(nids.length, t.items.duplicating));
  undo.did(...done.map((made) => newStep('node', made)));
  refreshShown();
  const [failure] = failures;
  if (failure !== undefined) toaster.warn(failure, done.length > 0 ? takeBack() : undefined);
  else toaster.say(t.items.duplicated(done.length), takeBack());
}

async function copyOf(nid: number): Promise<Entity> {
  const { body } = await getEntity('node', nid);
  const bundle = bundleOf('node', body);
  return (await createEntity('node', bundle, describedAs(bundle, body))).body;
}

/** Everything that somebody can set, with a title that tells it from the first one. */
function describedAs(bundle: string, entity: Entity): Entity {
  const fields: Entity = {};
  for (const field of repository.model.node_types[bundle]?.fields ?? []) {
    const type = fieldType(field.type);
    const values = entity[field.name] ?? [];
    if (!type || field.derived || values.length === 0) continue;
    if (field.name === 'status' && !mayPublish()) continue;
    fields[field.name] = wireValues(type, values);
  }
  fields.title = [{ value: t.items.copyOf(String(entity.title?.[0]?.value ?? '')) }];
  return fields;
}
