import { toaster } from '../parts/toast.svelte';
import { t } from '../texts';
import type { Course } from './each';

/** From how many on it is told how far a change is. */
const MANY = 20;

/** A change of so many things that says now and then how far it is, with a button that ends it. */
export function toldCourse(all: number, words: (done: number, all: number) => string): Course {
  const stop = new AbortController();
  const step = (done: number) => {
    if (all < MANY || done % MANY !== 0 || done >= all || stop.signal.aborted) return;
    toaster.say(words(done, all), { label: t.batch.stop, run: () => stop.abort() });
  };
  return { signal: stop.signal, step };
}
