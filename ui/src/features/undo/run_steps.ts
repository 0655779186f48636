import { hasCode } from '../../api/errors';
import { forEachConcurrently } from '../../api/concurrency';
import type { Direction, Step } from '../../state/undo_stack';
import { NothingLeft } from './batch_steps';
import { prepareStep, type PreparedStep } from './prepare_step';

/** Progress of a change with many steps, and how to stop it. */
export interface UndoProgress {
  signal: AbortSignal;
  /** Called after each step. */
  onstep: (done: number, all: number) => void;
}

/** The result of undoing or redoing steps. */
export interface UndoResult {
  /** The steps that succeeded, as they are recorded from then on. */
  steps: Step[];
  failure: unknown;
}

/** Whether a retry can never succeed. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof NothingLeft) return true;
  return hasCode(error, 'forbidden', 'not_found', 'conflict', 'invalid', 'invalid_fields');
}

/** Prepares all steps. Those that can never succeed are left out if others remain. */
export async function prepareAll(steps: Step[], direction: Direction): Promise<PreparedStep[]> {
  const found = new Map<Step, PreparedStep>();
  let failure: unknown = null;
  await forEachStep(steps, async (step) => {
    try {
      found.set(step, await prepareStep(step, direction));
    } catch (error) {
      if (!isPermanent(error)) throw error;
      failure = error;
    }
  });
  if (found.size === 0 && failure !== null) throw failure;
  return steps.map((step) => found.get(step)).filter((one) => one !== undefined);
}

/** Runs all steps. A step that fails does not stop the others where they are independent. */
export async function runAll(
  prepared: PreparedStep[],
  { signal, onstep }: UndoProgress,
): Promise<UndoResult> {
  const result: UndoResult = { steps: [], failure: null };
  const stopped = new AbortController();
  const take = async ({ run }: PreparedStep) => {
    try {
      result.steps.push(await run({ signal, onstep }));
      onstep(result.steps.length, prepared.length);
    } catch (error) {
      result.failure ??= error;
      if (!areIndependent(prepared) || !isPermanent(error)) stopped.abort();
    }
  };
  await forEachStep(prepared, take, AbortSignal.any([signal, stopped.signal]));
  return result;
}

/** Concurrently where the steps are independent, otherwise in order. */
async function forEachStep<T extends Step | PreparedStep>(
  things: T[],
  work: (thing: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (areIndependent(things)) return forEachConcurrently(things, work, signal);
  for (const thing of things) {
    if (signal?.aborted) return;
    await work(thing);
  }
}

/** Changes of values and pictures of different resources are independent; creations and deletions may not be. */
function areIndependent(things: (Step | PreparedStep)[]): boolean {
  const steps = things.map((thing) => ('step' in thing ? thing.step : thing));
  const ids = new Set(steps.map(({ kind, id }) => `${kind}/${id}`));
  return ids.size === steps.length && steps.every(({ act, kind }) => act === 'change' || kind === 'picture');
}
