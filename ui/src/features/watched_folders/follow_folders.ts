import type { QueryClient } from '@tanstack/svelte-query';
import { listWatchedFolders } from '../../api/watched_folders';

/** Minimum milliseconds between updates. */
const MIN_INTERVAL = 700;
const MAX_INTERVAL = 15_000;

/** Keeps the list of watched folders up to date until `signal` is aborted. */
export async function followFolders(client: QueryClient, signal: AbortSignal): Promise<void> {
  let version: number | null = null;
  let pause = MIN_INTERVAL;
  while (!signal.aborted) {
    try {
      const list = await listWatchedFolders(version, signal);
      // The query may have read a newer version; versions start anew after a restart of the server.
      const isFirst = version === null;
      client.setQueryData<typeof list>(['watched'], (shown) =>
        shown && !isFirst && shown.version > list.version ? shown : list,
      );
      version = list.version;
      pause = MIN_INTERVAL;
    } catch {
      // The query reports the error.
      if (signal.aborted) return;
      version = null;
      pause = Math.min(pause * 2, MAX_INTERVAL);
      void client.invalidateQueries({ queryKey: ['watched'] });
    }
    await sleepWhileHidden(pause, signal);
  }
}

/** Waits, and longer while the page is hidden. */
async function sleepWhileHidden(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  while (document.hidden && !signal.aborted) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}
