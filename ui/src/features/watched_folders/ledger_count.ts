import type { WatchCounts } from '../../api/types';
import { waitingCount } from './rule';

/** Tabs of the ledger. */
export type LedgerTab = 'done' | 'waiting' | 'failed' | 'skipped';

/** Number of files in a tab. */
export function ledgerCount(counts: WatchCounts, tab: LedgerTab): number {
  return tab === 'waiting' ? waitingCount(counts) : counts[tab];
}
