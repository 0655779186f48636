import { SvelteMap } from 'svelte/reactivity';
import { ApiError, Unreachable } from '../api/errors';
import { listItemMedia } from '../api/read';
import { createItem, deleteEntity, getEntity, idOf } from '../api/resources';
import type { Becoming } from '../media_types/registry';
import { contentLocation } from '../media_types/title';
import { t } from '../texts';
import type { DroppedFile } from './dropped';
import { exchange } from '../api/exchange';
import { abandon } from './parts';
import { sendFile } from './send';
import { Transfer, type Goal } from './transfer.svelte';
import { forgetUnfinished, readUnfinished, rememberUnfinished } from './unfinished';

/** Files sent at the same time. */
const AT_ONCE = 3;
/** Milliseconds between two updates of a progress bar. */
const PACE = 100;

/** All files on their way, across every screen. */
class Queue {
  readonly transfers = new SvelteMap<string, Transfer>();
  open = $state(false);
  /** Told after each file that arrived, with its item. */
  onarrived: (nid: number) => void = () => {};
  /** Told when an item was removed because its file did not come. */
  ongaveup: (name: string) => void = () => {};
  #next = 1;

  get all(): Transfer[] {
    return [...this.transfers.values()];
  }

  get busy(): boolean {
    return this.all.some((transfer) => transfer.running || transfer.state === 'waiting');
  }

  add(file: DroppedFile, goal: Goal, becoming: Becoming, useTid: number): void {
    const id = `${Date.now()}-${this.#next++}`;
    this.transfers.set(id, new Transfer(id, file, goal, becoming, useTid));
    this.fill();
  }

  /** Starts waiting transfers while there is room. */
  private fill(): void {
    const all = this.all;
    let room = AT_ONCE - all.filter((transfer) => transfer.running).length;
    for (const transfer of all) {
      if (room <= 0) return;
      if (transfer.state !== 'waiting') continue;
      room -= 1;
      void this.run(transfer);
    }
  }

  private async run(transfer: Transfer): Promise<void> {
    transfer.begin();
    transfer.state = 'preparing';
    try {
      await this.makeItem(transfer);
      await this.deliver(transfer);
      this.arrived(transfer);
    } catch (error) {
      await this.fail(transfer, error);
    }
    this.fill();
  }

  private async makeItem(transfer: Transfer): Promise<void> {
    const { goal, file } = transfer;
    if (goal.kind !== 'item' || transfer.nid !== null) return;
    const collection = await goal.collection();
    stopIfCancelled(transfer);
    transfer.nid = idOf('node', await createItem(goal.title, goal.model, collection, goal.status));
    rememberUnfinished({ nid: transfer.nid, name: file.name, title: goal.title });
  }

  private async deliver(transfer: Transfer): Promise<void> {
    stopIfCancelled(transfer);
    const { file, becoming, goal, useTid } = transfer;
    const ifMatch = goal.kind === 'media' && goal.replaces ? await etagOf(goal.replaces.mid) : null;
    stopIfCancelled(transfer);
    let shown = 0;
    transfer.state = 'sending';
    const order = {
      id: transfer.id,
      source: file.source,
      nid: transfer.nid ?? 0,
      mediaType: becoming.mediaType,
      useTid,
      contentLocation: contentLocation(file.name, new Date()),
      mime: becoming.mime,
      ifMatch,
      begun: transfer.begun,
    };
    const sending = sendFile(order, (sent, total) => {
      const now = performance.now();
      if (sent < total && now - shown < PACE) return;
      shown = now;
      transfer.progress(sent, total, now);
    });
    transfer.cancelSending = sending.cancel;
    await sending.done.finally(() => (transfer.cancelSending = null));
  }

  private arrived(transfer: Transfer): void {
    transfer.sent = transfer.file.size;
    transfer.state = 'done';
    if (transfer.nid === null) return;
    forgetUnfinished(transfer.nid);
    this.onarrived(transfer.nid);
  }

  private async fail(transfer: Transfer, error: unknown): Promise<void> {
    if (transfer.state === 'cancelled' || (error instanceof DOMException && error.name === 'AbortError')) {
      transfer.state = 'cancelled';
      return this.undoItem(transfer, t.transfers.cancelled);
    }
    transfer.state = 'failed';
    transfer.message = reason(error);
    this.open = true;
  }

  /** Removes the item that was made for a file which will not come. Never one that holds a file. */
  private async undoItem(transfer: Transfer, message: string): Promise<void> {
    if (transfer.goal.kind === 'media') {
      transfer.message = t.transfers.cancelledKept;
      return;
    }
    try {
      if (transfer.nid !== null && !(await removeEmptyItem(transfer.nid))) return this.arrived(transfer);
      transfer.nid = null;
      transfer.message = message;
    } catch {
      transfer.state = 'lost';
      transfer.message = t.transfers.cancelledLeft;
    }
  }

  cancel(transfer: Transfer): void {
    if (transfer.over || transfer.state === 'finishing') return;
    const waiting = transfer.state === 'waiting';
    transfer.state = 'cancelled';
    transfer.message = transfer.goal.kind === 'item' ? t.transfers.cancelled : t.transfers.cancelledKept;
    if (!waiting) transfer.cancelSending?.();
    else if (transfer.nid !== null) void this.undoItem(transfer, t.transfers.cancelled);
  }

  cancelAll(): void {
    for (const transfer of this.all) this.cancel(transfer);
  }

  retry(transfer: Transfer): void {
    if (transfer.state !== 'failed') return;
    transfer.state = 'waiting';
    this.fill();
  }

  /** Takes a transfer off the list; an item that still waits for its file goes with it. */
  async dismiss(transfer: Transfer): Promise<void> {
    const waitsForFile = transfer.needsYou && transfer.goal.kind === 'item' && transfer.nid !== null;
    if (waitsForFile) {
      transfer.state = 'cancelled';
      await this.undoItem(transfer, t.transfers.cancelled);
      if (!transfer.over) return;
      this.ongaveup(transfer.file.name);
    }
    void abandon(transfer.begun, { exchange });
    this.transfers.delete(transfer.id);
  }

  /** Leaves the item as it is, without a file. */
  keepItem(transfer: Transfer): void {
    if (transfer.nid !== null) forgetUnfinished(transfer.nid);
    void abandon(transfer.begun, { exchange });
    this.transfers.delete(transfer.id);
  }

  clearFinished(): void {
    for (const transfer of this.all) if (transfer.over) this.transfers.delete(transfer.id);
    if (this.transfers.size === 0) this.open = false;
  }

  /** Puts on the list what an earlier page left unfinished. */
  recall(): void {
    for (const { nid, name, title } of readUnfinished()) {
      const file: DroppedFile = { name, size: 0, mime: null, folder: [], source: { path: '' } };
      const goal: Goal = { kind: 'item', title, model: 0, status: true, collection: async () => null };
      const becoming = { mediaType: '', mime: '', model: { tid: 0, name: '', uri: null } };
      const transfer = new Transfer(`lost-${nid}`, file, goal, becoming, 0);
      transfer.nid = nid;
      transfer.state = 'lost';
      transfer.message = t.transfers.lost;
      this.transfers.set(transfer.id, transfer);
    }
  }
}

function stopIfCancelled(transfer: Transfer): void {
  if (transfer.state === 'cancelled') throw new DOMException('cancelled', 'AbortError');
}

async function etagOf(mid: number): Promise<string | null> {
  return (await getEntity('media', mid)).etag;
}

/** False when the item holds a file after all and was left alone. */
async function removeEmptyItem(nid: number): Promise<boolean> {
  try {
    if ((await listItemMedia(nid)).length > 0) return false;
    await deleteEntity('node', nid);
  } catch (error) {
    // Somebody else removed it already: nothing is left behind.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  forgetUnfinished(nid);
  return true;
}

function reason(error: unknown): string {
  if (error instanceof Unreachable) return t.transfers.unreachable;
  if (error instanceof ApiError && error.status === 412) return t.transfers.changed;
  if (error instanceof DOMException && error.name === 'NotReadableError') return t.transfers.fileGone;
  return error instanceof Error ? error.message : String(error);
}

export const queue = new Queue();
