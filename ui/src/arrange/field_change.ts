import { bundleOf, getEntity, patchEntity } from '../api/resources';
import type { Entity, FieldItem } from '../api/types';
import { repository } from '../place/repository.svelte';
import type { Step } from '../undo/change';
import { valueStep } from '../undo/step_of';
import { upon } from './each';

/**
 * Changes one field of an item by what is in it now; nothing where `after` answers the values it was given.
 * Answers the step to be taken back, or null where nothing was to be done.
 */
export function changeField(
  nid: number,
  name: string,
  after: (before: FieldItem[], entity: Entity) => FieldItem[],
): Promise<Step | null> {
  return upon(async () => {
    const { body, etag } = await getEntity('node', nid);
    const before = body[name] ?? [];
    const values = after(before, body);
    if (values === before) return null;
    const bundle = bundleOf('node', body);
    const { body: changed } = await patchEntity('node', nid, bundle, { [name]: values }, etag);
    const field = repository.model.node_types[bundle]?.fields.find((field) => field.name === name);
    return field ? valueStep('node', body, changed, [field]) : null;
  });
}
