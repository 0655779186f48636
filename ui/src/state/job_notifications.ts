/** Notifications about long-running jobs, whatever page is displayed when they end. */
import { inWindow, notify } from '../desktop';
import { toaster } from './toast.svelte';

const POLL_INTERVAL = 1500;

export interface JobOutcome {
  text: string;
  detail?: string;
  failed?: boolean;
}

/** Shows a desktop notification where the window is not in front. */
export function notifyDesktop({ text, detail }: JobOutcome): void {
  // A desktop without notifications is no failure of the job.
  if (inWindow) notify(text, detail ?? '').catch(() => {});
}

/** Polls until the job has an outcome, and notifies the user. */
export async function notifyWhenDone(outcome: () => Promise<JobOutcome | null>): Promise<void> {
  let found: JobOutcome | null = null;
  while (!found) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    try {
      found = await outcome();
    } catch {
      // The server or the permission is gone; the page displays why.
      return;
    }
  }
  const text = [found.text, found.detail].filter(Boolean).join(' ');
  if (found.failed) toaster.warn(text);
  else toaster.say(text);
  notifyDesktop(found);
}
