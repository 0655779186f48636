import type { QueryClient } from '@tanstack/svelte-query';
import { listWatchedFolders } from '../../api/watched';

/** Answers may come at any rate; so often they are shown. */
const AT_MOST_EVERY = 700;
const LONGEST_PAUSE = 15_000;

/** Keeps the list of watched folders as it is on the server until `signal` is aborted. */
export async function followFolders(client: QueryClient, signal: AbortSignal): Promise<void> {
  let version: number | null = null;
  let pause = AT_MOST_EVERY;
  while (!signal.aborted) {
    try {
      const list = await listWatchedFolders(version, signal);
      // What was read meanwhile may be newer; after a restart of the server, all of it counts anew.
      const anew = version === null;
      client.setQueryData<typeof list>(['watched'], (shown) =>
        shown && !anew && shown.version > list.version ? shown : list,
      );
      version = list.version;
      pause = AT_MOST_EVERY;
    } catch {
      // The server is away, or no longer answers this person: the query says so.
      if (signal.aborted) return;
      version = null;
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      void client.invalidateQueries({ queryKey: ['watched'] });
    }
    await rest(pause, signal);
  }
}

/** A page that nobody looks at asks for nothing. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  while (document.hidden && !signal.aborted) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}
