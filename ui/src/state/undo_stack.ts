import type { EntityKind } from '../api/types';

/** What can be created and deleted. Accounts cannot be deleted. */
type UndoableKind = EntityKind | 'file' | 'folder' | 'saved_search';

/** The resource that a step is about, with the title it had then. */
interface StepSubject {
  kind: UndoableKind | 'user' | 'batch' | 'picture' | 'templates' | 'model' | 'roles';
  id: number;
  title: string;
}

/**
 * Settings of an account or of a watched folder, the adjustment of a picture (by the id of its media), by name, the
 * templates of a collection, roles by name, and the content model (`model_settings.ts`). No revision that clients can read has them as fields, so the values are stored.
 */
export type Settings = Record<string, unknown>;

/** The state after a step: a revision id, or settings; null where there is neither. */
export type StateMark = number | Settings | null;

/** A changed field, with what is needed to write its former values. */
export interface ChangedField {
  name: string;
  label: string;
  /** Name of the field type. */
  type: string;
}

/** What was done to many items; `other`: what the label says. */
export type BatchKind =
  | 'values'
  | 'move'
  | 'order'
  | 'delete'
  | 'restore'
  | 'rotate'
  | 'duplicate'
  | 'other'
  | 'pages'
  | 'table'
  | 'bag'
  | 'merge';

/** One step of a change. Field values are not stored: they are in the revisions that the step names. */
export type Step =
  | (StepSubject & {
      act: 'change';
      kind: EntityKind;
      bundle: string;
      fields: ChangedField[];
      before: number;
      after: number;
    })
  /** Many items were changed by one job of the server, which also takes it back. */
  | (StepSubject & {
      act: 'batch';
      kind: 'batch';
      what: BatchKind;
      /** The label of what was changed. */
      label: string;
      items: number;
      /** The batch that is taken back next: that of the change, of its undo, or of the undo of that. */
      last: number;
      /** How many items that one could not change. */
      left?: number;
    })
  /** The file of a media was replaced. Its bytes are in the versions of the file. */
  | (StepSubject & { act: 'bytes'; kind: 'media'; before: number; after: number })
  /** Settings were changed; only the changed ones are stored. */
  | (StepSubject & {
      act: 'set';
      kind: 'user' | 'folder' | 'picture' | 'templates' | 'saved_search' | 'model' | 'roles';
      before: Settings;
      after: Settings;
    })
  | (StepSubject & {
      act: 'create';
      kind: UndoableKind;
      after: StateMark;
      /** Whether the item was created for a file and is deleted with it. */
      withFiles?: boolean;
    })
  /** Restored from the trash. */
  | (StepSubject & { act: 'restore'; kind: UndoableKind; after: StateMark; withFiles?: boolean })
  | (StepSubject & {
      act: 'delete';
      kind: UndoableKind;
      /** The state after the restore; unknown before it. */
      back?: StateMark;
      /** Whether media and files were deleted with the item, and are restored with it. */
      withFiles?: boolean;
    });

export type Direction = 'undo' | 'redo';

/** What the user did in one action, and undoes in one action. */
export interface UndoChange {
  steps: Step[];
}

/** Changes that can be undone (`past`) and redone (`future`), each with the latest at the end. */
export interface UndoStack {
  past: UndoChange[];
  future: UndoChange[];
}

export const EMPTY_STACK: UndoStack = { past: [], future: [] };

/** Maximum number of changes in each list. */
const MAX_CHANGES = 200;

/** Adds a change. What was undone before can no longer be redone. */
export function pushChange(stack: UndoStack, change: UndoChange): UndoStack {
  if (change.steps.length === 0) return stack;
  return { past: [...stack.past, change].slice(-MAX_CHANGES), future: [] };
}

/**
 * Moves a change, or only some of its steps, to the other list. The remaining steps stay. The change need not
 * be the latest, since another one may have been recorded meanwhile.
 */
export function moveChange(
  stack: UndoStack,
  direction: Direction,
  change: UndoChange,
  steps = change.steps,
): UndoStack {
  if (steps.length === 0) return stack;
  const [from, to] = direction === 'undo' ? [stack.past, stack.future] : [stack.future, stack.past];
  const left = withoutSteps(change, steps);
  const rest = replaceChange(from, change, left.steps.length > 0 ? [left] : []);
  const keptSteps = new Map(steps.map((step) => [stepKey(step), step]));
  const movedSteps = change.steps.flatMap((step) => keptSteps.get(stepKey(step)) ?? []);
  const after = [...to, { steps: movedSteps }].slice(-MAX_CHANGES);
  return direction === 'undo' ? { past: rest, future: after } : { past: after, future: rest };
}

export function withoutSteps(change: UndoChange, steps: Step[]): UndoChange {
  const removed = new Set(steps.map(stepKey));
  return { steps: change.steps.filter((step) => !removed.has(stepKey(step))) };
}

const stepKey = (step: Step): string =>
  [step.act, step.kind, step.id, 'after' in step ? JSON.stringify(step.after) : ''].join('/');

/** Removes a change that can never be undone or redone. */
export function removeChange(
  { past, future }: UndoStack,
  direction: Direction,
  change: UndoChange,
): UndoStack {
  return direction === 'undo'
    ? { past: replaceChange(past, change), future }
    : { past, future: replaceChange(future, change) };
}

/** Replaces a change by others. It is compared by value, since another page may have stored it anew. */
function replaceChange(changes: UndoChange[], change: UndoChange, others: UndoChange[] = []): UndoChange[] {
  const wanted = change.steps.map(stepKey).join();
  const at = changes.findLastIndex(({ steps }) => steps.map(stepKey).join() === wanted);
  return at < 0 ? changes : [...changes.slice(0, at), ...others, ...changes.slice(at + 1)];
}

/** The steps of a change in the order in which they are undone or redone. */
export function stepsInOrder(change: UndoChange, direction: Direction): Step[] {
  return direction === 'undo' ? [...change.steps].reverse() : change.steps;
}

/** Parses a stored stack; an invalid one is empty. */
export function parseStack(text: string | null): UndoStack {
  try {
    const found: unknown = JSON.parse(text ?? 'null');
    if (!found || typeof found !== 'object' || !('past' in found) || !('future' in found)) return EMPTY_STACK;
    const { past, future } = found;
    return Array.isArray(past) && Array.isArray(future) ? { past, future } : EMPTY_STACK;
  } catch {
    return EMPTY_STACK;
  }
}
