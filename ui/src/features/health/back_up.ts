import { readBackups, startBackup } from '../../api/maintenance';
import { notifyWhenDone, type JobOutcome } from '../../state/job_notifications';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { dateTime } from '../../texts/format';

/** Starts a backup, and says when it has ended; without a folder, into that of the schedule or of the latest backup. */
export async function backUp(folder: string | null): Promise<void> {
  await startBackup(folder);
  toaster.say(t.health.backupBegun);
  void notifyWhenDone(outcome);
}

async function outcome(): Promise<JobOutcome | null> {
  const { running, failed, last_error, last_made } = await readBackups();
  if (running) return null;
  if (last_error) {
    return { text: t.health.failed(failed ? dateTime(failed) : ''), detail: last_error, failed: true };
  }
  return last_made ? { text: t.health.backupMade(last_made.directory) } : null;
}
