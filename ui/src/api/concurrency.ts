/** A browser opens at most six connections to a server, and the event stream needs one. */
export const MAX_CONCURRENT = 4;

/** Runs work on each thing, at most `MAX_CONCURRENT` at a time and in order, until `signal` is aborted. */
export async function forEachConcurrently<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (;;) {
      const thing = things[next];
      if (thing === undefined || signal?.aborted) return;
      next += 1;
      await work(thing);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, things.length) }, worker));
}
