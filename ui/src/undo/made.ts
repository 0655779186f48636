import type { Entity, EntityKind } from '../api/types';
import { newStep } from './step_of';
import { undo } from './undo.svelte';

/** Makes something; one undo takes it away again. */
export function makeOne(kind: EntityKind, make: () => Promise<Entity>): Promise<Entity> {
  return undo.during(async () => {
    const made = await make();
    undo.did(newStep(kind, made));
    return made;
  });
}
