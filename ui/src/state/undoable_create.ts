import { undoHistory } from './undo_history.svelte';
import type { Entity, EntityKind } from '../api/types';
import { newStep } from './undo_steps';

/** Creates a resource and records it, so that it can be undone. */
export function createUndoable(kind: EntityKind, create: () => Promise<Entity>): Promise<Entity> {
  return undoHistory.during(async () => {
    const created = await create();
    undoHistory.record(newStep(kind, created));
    return created;
  });
}
