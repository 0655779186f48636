import { ApiError } from '../api/errors';
import { forEach } from '../api/several';

/** What became of a change of many things. */
export interface Outcome<T> {
  /** What came of those that worked, in no particular order. */
  done: T[];
  /** Why the others were refused, in the server's words. */
  failures: string[];
}

/** Told how far a change of many things is, and able to end it. */
export interface Course {
  readonly signal?: AbortSignal;
  step: (done: number) => void;
}

/** Does something with each, a few at a time; one that fails does not stop the others. */
export async function each<A, T>(
  all: readonly A[],
  act: (one: A) => Promise<T>,
  course?: Course,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failures: [] };
  await forEach(
    all,
    async (one) => {
      try {
        outcome.done.push(await act(one));
      } catch (error) {
        outcome.failures.push(error instanceof Error ? error.message : String(error));
      }
      course?.step(outcome.done.length + outcome.failures.length);
    },
    course?.signal,
  );
  return outcome;
}

/** How often a change that somebody else was quicker than is made upon the newer state. */
const TRIES = 5;

/** Makes a change that only depends on the state it reads; read anew when somebody else was quicker (412). */
export async function upon<T>(change: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (tries > 1 && error instanceof ApiError && error.status === 412) return upon(change, tries - 1);
    throw error;
  }
}
