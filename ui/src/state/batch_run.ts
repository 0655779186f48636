import { cancelBatch, readBatch } from '../api/batches';
import { ServerUnreachable } from '../api/errors';
import type { Batch } from '../api/types';
import { onBatch } from './live_updates';

/** Progress of a change of many items, and how to cancel it. */
export interface BatchProgress {
  readonly signal?: AbortSignal;
  onstep?: (done: number, all: number) => void;
}

/** Milliseconds until the progress is read where the event stream says nothing. */
const POLL_DELAY = 1000;

/** Follows a batch until it ends. It goes on at the server, also while the server cannot be reached. */
export async function followBatch(begun: Batch, { signal, onstep }: BatchProgress = {}): Promise<Batch> {
  let batch = begun;
  let cancelled = false;
  while (!batch.ended) {
    onstep?.(batch.done, batch.total);
    try {
      if (signal?.aborted && !cancelled) {
        await cancelBatch(batch.id);
        cancelled = true;
      } else await nextNews(batch.id, cancelled ? undefined : signal);
      batch = await readBatch(batch.id);
    } catch (error) {
      if (!(error instanceof ServerUnreachable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_DELAY));
    }
  }
  return batch;
}

/** Waits for a message about a batch, or for its cancellation. */
function nextNews(id: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = onBatch((news) => news.id === id && finish());
    const timer = setTimeout(() => finish(), POLL_DELAY);
    const finish = () => {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    signal?.addEventListener('abort', finish, { once: true });
  });
}
