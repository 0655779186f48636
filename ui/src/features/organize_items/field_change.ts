import { bundleOf, getEntity, patchEntity } from '../../api/resources';
import type { Entity, FieldItem } from '../../api/types';
import { repository } from '../../state/repository.svelte';
import type { Step } from '../../state/undo_stack';
import { valueStep } from '../../state/undo_steps';
import { retryOnConflict } from './bulk';

/**
 * Changes a field of an item depending on its present values; does nothing where `after` returns the same
 * array. Answers the undo step, or null.
 */
export function changeField(
  nid: number,
  name: string,
  after: (before: FieldItem[], entity: Entity) => FieldItem[],
): Promise<Step | null> {
  return retryOnConflict(async () => {
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
