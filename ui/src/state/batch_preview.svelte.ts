import { previewBatch } from '../api/batches';
import { ApiError, ServerUnreachable } from '../api/errors';
import type { BatchItems, BatchPreview, ItemChange } from '../api/types';
import { t } from '../texts';

/** Milliseconds after the last question until the server is asked; the first one is asked at once. */
const DELAY = 250;

/** What a change of many items would do, by the server. It follows what is entered. */
export class LivePreview {
  current: BatchPreview | null = $state.raw(null);
  /** Whether `current` is older than the last question. */
  looking = $state(false);
  failure: string | null = $state(null);
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks what a change would do; null where it is not complete. */
  ask(items: BatchItems, change: ItemChange | null): void {
    this.stop();
    this.looking = change !== null;
    if (change === null) this.current = null;
    else this.#timer = setTimeout(() => void this.read(items, change), this.current ? DELAY : 0);
  }

  private async read(items: BatchItems, change: ItemChange): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    let found: Pick<LivePreview, 'current' | 'failure'>;
    try {
      found = { current: await previewBatch(items, change, signal), failure: null };
    } catch (error) {
      found = { current: null, failure: errorText(error) };
    }
    if (!signal.aborted) Object.assign(this, { ...found, looking: false });
  }

  /** Drops a question that is not answered. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.looking = false;
  }
}

/** Why a request failed. */
export function errorText(error: unknown): string {
  if (error instanceof ServerUnreachable) return t.failures.unreachable;
  if (error instanceof ApiError && error.violations.length > 0)
    return error.violations.map(({ message }) => message).join(' ');
  return error instanceof Error ? error.message : String(error);
}
