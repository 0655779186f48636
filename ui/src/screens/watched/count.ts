import type { WatchCounts } from '../../api/types';
import { waiting } from './rule';

/** The lists in which the files of a folder stand. */
export type LedgerTab = 'done' | 'waiting' | 'failed' | 'skipped';

/** How many files stand in a list. */
export function count(counts: WatchCounts, tab: LedgerTab): number {
  return tab === 'waiting' ? waiting(counts) : counts[tab];
}
