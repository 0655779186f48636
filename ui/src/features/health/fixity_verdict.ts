import type { FixityStatus } from '../../api/types';
import { t } from '../../texts';

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
