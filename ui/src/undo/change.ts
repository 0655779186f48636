import type { EntityKind } from '../api/types';

/** A thing that a change was about, and what it was called then. */
interface About {
  kind: EntityKind | 'file';
  id: number;
  title: string;
}

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
  | (About & {
      act: 'create';
      kind: EntityKind;
      after: number;
      /** An item that was made for a file, which goes with it. */
      withFiles?: boolean;
    })
  /** It came back out of the trash, in this state; a file by itself has none. */
  | (About & { act: 'restore'; after: number | null; withFiles?: boolean })
  | (About & {
      act: 'delete';
      /** An item with its media and their files; they come back with it. */
      withFiles?: boolean;
    });

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

/** The latest change was taken back, or done again: whole, or only these of its steps. The others stay where they are. */
export function moved(done: Done, which: 'undo' | 'redo', steps?: Step[]): Done {
  const [from, to] = which === 'undo' ? [done.past, done.future] : [done.future, done.past];
  const last = from.at(-1);
  if (!last || steps?.length === 0) return done;
  const keys = new Set((steps ?? last.steps).map(keyOf));
  const left = last.steps.filter((step) => !keys.has(keyOf(step)));
  const rest = left.length > 0 ? [...from.slice(0, -1), { steps: left }] : from.slice(0, -1);
  const after = [...to, { steps: last.steps.filter((step) => keys.has(keyOf(step))) }].slice(-MOST);
  return which === 'undo' ? { past: rest, future: after } : { past: after, future: rest };
}

const keyOf = (step: Step): string =>
  [step.act, step.kind, step.id, 'after' in step ? step.after : ''].join('/');

/** What cannot be taken back or done again any more is no longer offered. */
export function dropped({ past, future }: Done, which: 'undo' | 'redo'): Done {
  return which === 'undo' ? { past: past.slice(0, -1), future } : { past, future: future.slice(0, -1) };
}

/** The steps of a change in the order in which they are taken back, or done again. */
export function inOrder(change: Change, which: 'undo' | 'redo'): Step[] {
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
