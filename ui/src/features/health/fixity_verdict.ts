import type { FixityStatus } from '../../api/types';
import { t } from '../../texts';
import { bytes, dateTime } from '../../texts/format';

/** What the audit has found of all stored files, in words. */
export function fixityVerdict({
  amiss,
  versions,
  never_verified,
}: Pick<FixityStatus, 'amiss' | 'versions' | 'never_verified'>): string {
  const words = t.health;
  if (amiss > 0) return words.damaged(amiss);
  if (versions === 0) return words.noFiles;
  if (never_verified === 0) return words.allIntact(versions);
  return words.someChecked(versions, versions - never_verified);
}

/** When all files were last checked, in words. A pass before any of them was stored says nothing of those there are. */
export function lastPassWords({
  versions,
  never_verified,
  last_pass,
}: Pick<FixityStatus, 'versions' | 'never_verified' | 'last_pass'>): string {
  const words = t.health;
  if (!last_pass || never_verified >= versions) return words.neverPassed;
  return words.lastPass(dateTime(last_pass.finished), last_pass.versions, bytes(last_pass.bytes));
}
