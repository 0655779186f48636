import { bundleOf, getEntity, patchEntity } from '../../api/resources';
import type { Entity, Field, FieldItem } from '../../api/types';
import { repository } from '../../state/repository.svelte';
import type { Step } from '../../state/undo_stack';
import { valueStep } from '../../state/undo_steps';
import { retryOnConflict } from './bulk';

/**
 * Changes fields of an item depending on its present values; does nothing where `after` returns null. Answers the undo
 * step, or null. `undone` are the fields that it takes back, where they are not only those that are set.
 */
export function changeFields(
  nid: number,
  after: (before: Entity) => Record<string, FieldItem[]> | null,
  undone?: (before: Entity, after: Entity) => Field[],
): Promise<Step | null> {
  return retryOnConflict(async () => {
    const { body, etag } = await getEntity('node', nid);
    const values = after(body);
    if (values === null) return null;
    const bundle = bundleOf('node', body);
    const { body: changed } = await patchEntity('node', nid, bundle, values, etag);
    const known = repository.model.node_types[bundle]?.fields ?? [];
    const fields = undone ? undone(body, changed) : known.filter(({ name }) => name in values);
    return fields.length > 0 ? valueStep('node', body, changed, fields) : null;
  });
}
