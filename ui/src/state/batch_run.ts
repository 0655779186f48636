import { beginBatch, cancelBatch, listBatchItems, readBatch } from '../api/batches';
import { ServerUnreachable } from '../api/errors';
import type { Batch, BatchItem, BatchItems, ItemChange } from '../api/types';
import { onBatch } from './live_updates';
import { undoHistory } from './undo_history.svelte';
import { batchStep, type BatchName } from './undo_steps';

/** Progress of a change of many items, and how to cancel it. */
export interface BatchProgress {
  readonly signal?: AbortSignal;
  onstep?: (done: number, all: number) => void;
  /** Called with every answer about it, also with the last one. */
  onbatch?: (batch: Batch) => void;
}

/** What became of a change of many items. */
export interface BatchOutcome {
  batch: Batch;
  /** The first items that could not be changed. */
  refused: BatchItem[];
  /** How many items could not be changed, or were not tried. */
  left: number;
  /** Why, as far as it is known. */
  reason: string;
}

/** Changes many items by one job of the server. */
export async function runBatch(
  items: BatchItems,
  change: ItemChange,
  { seen, ...progress }: BatchProgress & { seen?: number } = {},
): Promise<BatchOutcome> {
  return batchOutcome(await beginBatch(items, change, seen), progress);
}

/** Follows a batch until it ends, and tells what became of it. */
export async function batchOutcome(begun: Batch, progress: BatchProgress = {}): Promise<BatchOutcome> {
  const batch = await followBatch(begun, progress);
  const refused = batch.refused > 0 ? (await listBatchItems(batch.id, 'refused')).items : [];
  const left = batch.refused + batch.total - batch.done;
  return { batch, refused, left, reason: refused[0]?.message ?? batch.reason ?? '' };
}

/** As `runBatch`, as one undoable change. */
export async function runUndoableBatch(
  items: BatchItems,
  change: ItemChange,
  name: BatchName,
  progress: BatchProgress & { seen?: number } = {},
): Promise<BatchOutcome> {
  const outcome = await runBatch(items, change, progress);
  if (outcome.batch.changed > 0) undoHistory.record(batchStep(outcome.batch, name));
  return outcome;
}

/** Milliseconds until the progress is read where the event stream says nothing: a short change ends at once. */
const FIRST_DELAY = 50;
const LONGEST_DELAY = 1000;
const PAUSED_DELAY = 10_000;

/** Follows a batch until it ends. It goes on at the server, also while the server cannot be reached. */
export async function followBatch(begun: Batch, progress: BatchProgress = {}): Promise<Batch> {
  const { onbatch } = progress;
  const tell = (batch: Batch) => {
    undoHistory.setPaused(batch.id, batch.state === 'paused');
    onbatch?.(batch);
  };
  try {
    return await follow(begun, { ...progress, onbatch: tell });
  } finally {
    undoHistory.setPaused(begun.id, false);
  }
}

async function follow(begun: Batch, { signal, onstep, onbatch }: BatchProgress): Promise<Batch> {
  let batch = begun;
  let cancelled = false;
  let delay = FIRST_DELAY;
  while (!batch.ended) {
    onstep?.(batch.done, batch.total);
    onbatch?.(batch);
    try {
      if (signal?.aborted && !cancelled) {
        await cancelBatch(batch.id);
        cancelled = true;
      } else
        await nextNews(
          batch.id,
          batch.state === 'paused' ? PAUSED_DELAY : delay,
          cancelled ? undefined : signal,
        );
      batch = await readBatch(batch.id);
    } catch (error) {
      if (!(error instanceof ServerUnreachable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, LONGEST_DELAY));
    }
    delay = Math.min(LONGEST_DELAY, 2 * delay);
  }
  onbatch?.(batch);
  return batch;
}

/** Waits for a message about a batch, or for its cancellation. */
function nextNews(id: number, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = onBatch((news) => news.id === id && finish());
    const timer = setTimeout(() => finish(), delay);
    const finish = () => {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    signal?.addEventListener('abort', finish, { once: true });
  });
}
