/** Makes undo steps from answers of the server. */
import { bundleOf, idOf, versionOf } from '../api/resources';
import type { Batch, Entity, EntityKind, Field } from '../api/types';
import type { Step } from './undo_stack';

export function valueStep(kind: EntityKind, before: Entity, after: Entity, fields: Field[]): Step {
  return {
    act: 'change',
    kind,
    id: idOf(kind, after),
    title: titleOf(before),
    bundle: bundleOf(kind, after),
    fields: fields.map(({ name, label, type }) => ({ name, label, type })),
    before: versionOf(before),
    after: versionOf(after),
  };
}

export function newStep(kind: EntityKind, made: Entity): Extract<Step, { act: 'create' }> {
  return { act: 'create', kind, id: idOf(kind, made), title: titleOf(made), after: versionOf(made) };
}

/** The step of a change of many items; `title` is that of the first one. */
export function batchStep(
  { id, changed }: Batch,
  about: { title: string; label: string; move: boolean },
): Extract<Step, { act: 'batch' }> {
  return { act: 'batch', kind: 'batch', id, items: changed, last: id, ...about };
}

/** The title of a resource. */
export function titleOf(entity: Entity): string {
  return String(entity.title?.[0]?.value ?? entity.name?.[0]?.value ?? '');
}
