import { hasCode } from '../../api/errors';
import { forEachConcurrently } from '../../api/concurrency';

/** The result of an operation on many resources. */
export interface BulkResult<T> {
  /** Results of those that succeeded, in no particular order. */
  done: T[];
  /** Error messages of the others. */
  failures: string[];
}

/** Progress of an operation on many resources, and how to cancel it. */
export interface BulkProgress {
  readonly signal?: AbortSignal;
  onstep: (done: number) => void;
}

/** Runs an operation on each, a few at a time; a failure does not stop the others. */
export async function runBulk<A, T>(
  all: readonly A[],
  action: (one: A) => Promise<T>,
  progress?: BulkProgress,
): Promise<BulkResult<T>> {
  const result: BulkResult<T> = { done: [], failures: [] };
  await forEachConcurrently(
    all,
    async (one) => {
      try {
        result.done.push(await action(one));
      } catch (error) {
        result.failures.push(error instanceof Error ? error.message : String(error));
      }
      progress?.onstep(result.done.length + result.failures.length);
    },
    progress?.signal,
  );
  return result;
}

/** Maximum number of attempts after conflicts. */
const MAX_TRIES = 5;

/** Runs a change that reads the resource first, again after a conflict (412). */
export async function retryOnConflict<T>(change: () => Promise<T>, tries = MAX_TRIES): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (tries > 1 && hasCode(error, 'precondition_failed')) return retryOnConflict(change, tries - 1);
    throw error;
  }
}
