/** Work that somebody waits for, who may look elsewhere meanwhile. */
import { inWindow, notify } from '../desktop';
import { toaster } from '../parts/toast.svelte';

/** Milliseconds between two questions whether it is over. */
const PACE = 1500;

/** What came of it. */
export interface Outcome {
  words: string;
  more?: string;
  bad?: boolean;
}

/** Said by the desktop where the window is not in front. */
export function tellElsewhere({ words, more }: Outcome): void {
  // A desktop that tells nothing is no failure of the work.
  if (inWindow) notify(words, more ?? '').catch(() => {});
}

/** Asks until the work has an outcome, whatever screen is shown meanwhile, and says that. */
export async function tellWhenOver(outcome: () => Promise<Outcome | null>): Promise<void> {
  let found: Outcome | null = null;
  while (!found) {
    await new Promise((resolve) => setTimeout(resolve, PACE));
    try {
      found = await outcome();
    } catch {
      // Who cannot be asked any more has nothing to tell; the screen says why.
      return;
    }
  }
  const words = [found.words, found.more].filter(Boolean).join(' ');
  if (found.bad) toaster.warn(words);
  else toaster.say(words);
  tellElsewhere(found);
}
