import type { FixityStatus } from '../../api/types';
import { t } from '../../texts';

/** What the audit has found of all stored files, in words. */
export function fixityVerdict({
  amiss,
  versions,
  never_verified,
}: Pick<FixityStatus, 'amiss' | 'versions' | 'never_verified'>): string {
  const words = t.health;
  const done = versions - never_verified;
  if (amiss > 0) return words.damaged(amiss);
  if (versions === 0) return words.noFiles;
  if (done === 0) return words.noneChecked(versions);
  return never_verified === 0 ? words.allIntact(versions) : words.partlyChecked(done, versions);
}
