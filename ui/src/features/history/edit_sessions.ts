import type { Revision } from '../../api/types';

/** Consecutive revisions by one user through one channel, newest first. */
export interface EditSessionGroup {
  revisions: Revision[];
  latest: Revision;
  /** The revision before the session; null where it created the item, or that one is not loaded. */
  since: number | null;
}

/** Milliseconds without a revision after which a session ends. */
const MAX_PAUSE = 30 * 60_000;

/** Groups a history, newest first, by edit sessions. */
export function groupEditSessions(revisions: Revision[]): EditSessionGroup[] {
  const sessions: EditSessionGroup[] = [];
  for (const revision of revisions) {
    const session = sessions.at(-1);
    const newer = session?.revisions.at(-1);
    if (session && newer && continuesSession(revision, newer)) {
      session.revisions.push(revision);
      continue;
    }
    if (session) session.since = revision.vid;
    sessions.push({ revisions: [revision], latest: revision, since: null });
  }
  return sessions;
}

function continuesSession(older: Revision, newer: Revision): boolean {
  const same = older.user?.uid === newer.user?.uid && older.origin === newer.origin;
  return same && Date.parse(newer.timestamp) - Date.parse(older.timestamp) <= MAX_PAUSE;
}
