/** All transfers at one moment, as the tray and the status bar show them. */
import type { Standing, Transfer } from './transfer.svelte';

export interface Overview {
  /** How many there are. */
  all: number;
  groups: Record<Standing, Transfer[]>;
  /** Bytes of all that are to arrive. */
  size: number;
  /** Bytes of those that have arrived. */
  sent: number;
}

export function nothingUnderWay(): Overview {
  const groups = { need: [], running: [], waiting: [], paused: [], over: [] };
  return { all: 0, groups, size: 0, sent: 0 };
}

/** One walk over all of them, however many. */
export function overview(transfers: Iterable<Transfer>): Overview {
  const found = nothingUnderWay();
  for (const transfer of transfers) {
    found.all += 1;
    found.groups[transfer.standing].push(transfer);
    if (transfer.state === 'lost' || transfer.state === 'cancelled') continue;
    found.size += transfer.file.size;
    found.sent += transfer.sent;
  }
  return found;
}
