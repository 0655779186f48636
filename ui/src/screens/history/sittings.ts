import type { Revision } from '../../api/types';

/** What somebody saved in one go: revisions of one person through one door, the newest first. */
export interface Sitting {
  revisions: Revision[];
  latest: Revision;
  /** The revision that it began from; null where it made the item, or that one is not read yet. */
  since: number | null;
}

/** So long nobody saves, and a sitting is over. */
const PAUSE = 30 * 60_000;

/** A history, the newest first, by sittings. */
export function sittingsOf(revisions: Revision[]): Sitting[] {
  const sittings: Sitting[] = [];
  for (const revision of revisions) {
    const sitting = sittings.at(-1);
    const newer = sitting?.revisions.at(-1);
    if (sitting && newer && goesOn(revision, newer)) {
      sitting.revisions.push(revision);
      continue;
    }
    if (sitting) sitting.since = revision.vid;
    sittings.push({ revisions: [revision], latest: revision, since: null });
  }
  return sittings;
}

function goesOn(older: Revision, newer: Revision): boolean {
  const same = older.user?.uid === newer.user?.uid && older.door === newer.door;
  return same && Date.parse(newer.timestamp) - Date.parse(older.timestamp) <= PAUSE;
}
