/** Requests at the same time; a browser keeps at most six connections to a server, and one hears of changes. */
export const AT_ONCE = 4;

/** Does the same work on many things, a few at a time and in their order, until `signal` is aborted. */
export async function forEach<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  const hand = async () => {
    for (;;) {
      const thing = things[next];
      if (thing === undefined || signal?.aborted) return;
      next += 1;
      await work(thing);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, things.length) }, hand));
}
