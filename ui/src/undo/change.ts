import type { EntityKind } from '../api/types';

/** What can be made and can go. Accounts stay. */
type Thing = EntityKind | 'file' | 'folder';

/** A thing that a change was about, and what it was called then. */
interface About {
  kind: Thing | 'user';
  id: number;
  title: string;
}

/** What stands of an account, or of a watched folder, by name. They have no revisions, so it is kept here. */
export type Settings = Record<string, unknown>;

/** How something was left: the number of its state, or what stands of it; null where it has neither. */
export type Left = number | Settings | null;

/** A field that was changed: enough to write its former values again. */
export interface ChangedField {
  name: string;
  label: string;
  /** Name of the field type. */
  type: string;
}

/** One step of a change. Its values are not kept here: they stand in the revisions that it names. */
export type Step =
  | (About & {
      act: 'change';
      kind: EntityKind;
      bundle: string;
      fields: ChangedField[];
      before: number;
      after: number;
    })
  /** The file of a media got other bytes. They are had again from its states. */
  | (About & { act: 'bytes'; kind: 'media'; before: number; after: number })
  /** An account, or the rule of a watched folder: only what was changed of it. */
  | (About & { act: 'set'; kind: 'user' | 'folder'; before: Settings; after: Settings })
  | (About & {
      act: 'create';
      kind: Thing;
      after: Left;
      /** An item that was made for a file, which goes with it. */
      withFiles?: boolean;
    })
  /** It came back out of the trash. */
  | (About & { act: 'restore'; kind: Thing; after: Left; withFiles?: boolean })
  | (About & {
      act: 'delete';
      kind: Thing;
      /** As it was when it came back; not known before it has. */
      back?: Left;
      /** An item with its media and their files; they come back with it. */
      withFiles?: boolean;
    });

/** Which way a change goes. */
export type Direction = 'undo' | 'redo';

/** What somebody did in one go, and takes back in one go. */
export interface Change {
  steps: Step[];
}

/** What was done, and what was taken back and may be done again; both with the latest at the end. */
export interface Done {
  past: Change[];
  future: Change[];
}

export const NOTHING_DONE: Done = { past: [], future: [] };

/** Changes that can be taken back, one after the other. */
const MOST = 200;

/** Something was done: what had been taken back before cannot be done again. */
export function did(done: Done, change: Change): Done {
  if (change.steps.length === 0) return done;
  return { past: [...done.past, change].slice(-MOST), future: [] };
}

/**
 * A change was taken back, or done again: whole, or only these of its steps, as they are to be kept. The others stay
 * where they are. Something else may have been done meanwhile, so it need not be the latest.
 */
export function moved(done: Done, which: Direction, change: Change, steps = change.steps): Done {
  if (steps.length === 0) return done;
  const [from, to] = which === 'undo' ? [done.past, done.future] : [done.future, done.past];
  const left = leftOf(change, steps);
  const rest = put(from, change, left.steps.length > 0 ? [left] : []);
  const kept = new Map(steps.map((step) => [keyOf(step), step]));
  const went = change.steps.flatMap((step) => kept.get(keyOf(step)) ?? []);
  const after = [...to, { steps: went }].slice(-MOST);
  return which === 'undo' ? { past: rest, future: after } : { past: after, future: rest };
}

/** What is left of a change without some of its steps. */
export function leftOf(change: Change, steps: Step[]): Change {
  const gone = new Set(steps.map(keyOf));
  return { steps: change.steps.filter((step) => !gone.has(keyOf(step))) };
}

const keyOf = (step: Step): string =>
  [step.act, step.kind, step.id, 'after' in step ? JSON.stringify(step.after) : ''].join('/');

/** What cannot be taken back or done again any more is no longer offered. */
export function dropped({ past, future }: Done, which: Direction, change: Change): Done {
  return which === 'undo' ? { past: put(past, change), future } : { past, future: put(future, change) };
}

/** The changes with others in the place of one. Another page may have written them down anew, so they are compared. */
function put(changes: Change[], change: Change, others: Change[] = []): Change[] {
  const wanted = change.steps.map(keyOf).join();
  const at = changes.findLastIndex(({ steps }) => steps.map(keyOf).join() === wanted);
  return at < 0 ? changes : [...changes.slice(0, at), ...others, ...changes.slice(at + 1)];
}

/** The steps of a change in the order in which they are taken back, or done again. */
export function inOrder(change: Change, which: Direction): Step[] {
  return which === 'undo' ? [...change.steps].reverse() : change.steps;
}

/** What is kept between two starts, as it was written; nothing where that makes no sense. */
export function readDone(text: string | null): Done {
  try {
    const found: unknown = JSON.parse(text ?? 'null');
    if (!found || typeof found !== 'object' || !('past' in found) || !('future' in found))
      return NOTHING_DONE;
    const { past, future } = found;
    return Array.isArray(past) && Array.isArray(future) ? { past, future } : NOTHING_DONE;
  } catch {
    return NOTHING_DONE;
  }
}
