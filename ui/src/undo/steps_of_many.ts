import { ApiError } from '../api/errors';
import { forEach } from '../api/several';
import type { Direction, Step } from './change';
import { prepare, type Prepared } from './steps';

/** How far a change of many steps is, and how it is stopped. */
export interface Course {
  signal: AbortSignal;
  /** Told after each step. */
  onstep: (done: number) => void;
}

/** What came of taking steps back, or doing them again. */
export interface Outcome {
  /** As they are to be kept. */
  moved: Step[];
  failure: unknown;
}

/** What is gone or not allowed will not become possible. */
export function isHopeless(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409, 422].includes(error.status);
}

/** Looks what stands against each step; those that have become impossible are left out where there are others. */
export async function prepareAll(steps: Step[], direction: Direction): Promise<Prepared[]> {
  const found = new Map<Step, Prepared>();
  let failure: unknown = null;
  await inTurn(steps, async (step) => {
    try {
      found.set(step, await prepare(step, direction));
    } catch (error) {
      if (!isHopeless(error)) throw error;
      failure = error;
    }
  });
  if (found.size === 0 && failure !== null) throw failure;
  return steps.map((step) => found.get(step)).filter((one) => one !== undefined);
}

/** Takes steps back, or does them again. What one of many refuses does not keep the others. */
export async function runAll(prepared: Prepared[], { signal, onstep }: Course): Promise<Outcome> {
  const outcome: Outcome = { moved: [], failure: null };
  const ended = new AbortController();
  const take = async ({ run }: Prepared) => {
    try {
      outcome.moved.push(await run());
      onstep(outcome.moved.length);
    } catch (error) {
      outcome.failure ??= error;
      if (!areApart(prepared) || !isHopeless(error)) ended.abort();
    }
  };
  await inTurn(prepared, take, AbortSignal.any([signal, ended.signal]));
  return outcome;
}

/** A few at a time where they are about different things, else one after the other. */
async function inTurn<T extends Step | Prepared>(
  things: T[],
  work: (thing: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (areApart(things)) return forEach(things, work, signal);
  for (const thing of things) {
    if (signal?.aborted) return;
    await work(thing);
  }
}

/** Values of different things can be written in any order; what is made or deleted may hang together. */
function areApart(things: (Step | Prepared)[]): boolean {
  const steps = things.map((thing) => ('step' in thing ? thing.step : thing));
  const ids = new Set(steps.map(({ kind, id }) => `${kind}/${id}`));
  return ids.size === steps.length && steps.every(({ act }) => act === 'change');
}
