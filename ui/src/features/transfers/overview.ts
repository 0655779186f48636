/** A summary of all transfers, for the panel of transfers and the status bar. */
import type { TransferGroup, Transfer } from './transfer.svelte';

export interface TransferOverview {
  count: number;
  groups: Record<TransferGroup, Transfer[]>;
  /** Total bytes. */
  size: number;
  /** Bytes sent so far. */
  sent: number;
}

export function emptyOverview(): TransferOverview {
  const groups = { need: [], running: [], waiting: [], paused: [], over: [] };
  return { count: 0, groups, size: 0, sent: 0 };
}

/** Summarises all transfers in one pass. */
export function summarizeTransfers(transfers: Iterable<Transfer>): TransferOverview {
  const found = emptyOverview();
  for (const transfer of transfers) {
    found.count += 1;
    found.groups[transfer.group].push(transfer);
    if (transfer.state === 'lost' || transfer.state === 'cancelled') continue;
    found.size += transfer.file.size;
    found.sent += transfer.sent;
  }
  return found;
}
