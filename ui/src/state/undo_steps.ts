/** Makes undo steps from answers of the server. */
import { bundleOf, idOf, versionOf } from '../api/resources';
import type { Batch, Entity, EntityKind, Field } from '../api/types';
import type { BatchKind, Step } from './undo_stack';

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

/** How a change of many items is called. */
export interface BatchName {
  what: BatchKind;
  /** The title of the first item, or where the items were moved. */
  title?: string;
  label?: string;
}

/** The step of a change of many items. */
export function batchStep(
  { id, changed }: Batch,
  { what, title = '', label = '' }: BatchName,
): Extract<Step, { act: 'batch' }> {
  return { act: 'batch', kind: 'batch', id, items: changed, last: id, what, title, label };
}

/** The title of a resource. */
export function titleOf(entity: Entity): string {
  return String(entity.title?.[0]?.value ?? entity.name?.[0]?.value ?? '');
}
