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
  | (About & { act: 'create'; kind: EntityKind; after: number })
  | (About & { act: 'delete' });

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

export function tookBack({ past, future }: Done): Done {
  const last = past.at(-1);
  return last ? { past: past.slice(0, -1), future: [...future, last] } : { past, future };
}

export function didAgain({ past, future }: Done): Done {
  const last = future.at(-1);
  return last ? { past: [...past, last].slice(-MOST), future: future.slice(0, -1) } : { past, future };
}

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
