/** Steps to be remembered, from what the server answered. */
import { bundleOf, idOf, versionOf } from '../api/resources';
import type { Entity, EntityKind, Field } from '../api/types';
import type { Step } from './change';

/** Values of some fields were changed. */
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

/** Something was made. */
export function newStep(kind: EntityKind, made: Entity): Extract<Step, { act: 'create' }> {
  return { act: 'create', kind, id: idOf(kind, made), title: titleOf(made), after: versionOf(made) };
}

/** What a resource is called. */
export function titleOf(entity: Entity): string {
  return String(entity.title?.[0]?.value ?? entity.name?.[0]?.value ?? '');
}
