import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import type { BulkProgress } from './bulk';

/** Progress is reported after this many items. */
const PROGRESS_INTERVAL = 20;

/** Reports the progress of a bulk operation in a toast with a button that stops it. */
export function bulkProgress(all: number, words: (done: number, all: number) => string): BulkProgress {
  const stop = new AbortController();
  const onstep = (done: number) => {
    if (all < PROGRESS_INTERVAL || done % PROGRESS_INTERVAL !== 0 || done >= all || stop.signal.aborted)
      return;
    toaster.say(words(done, all), { label: t.batch.stop, run: () => stop.abort() });
  };
  return { signal: stop.signal, onstep };
}
