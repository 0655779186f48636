import { ApiError } from '../api/errors';
import { listItemMedia } from '../api/read';
import { createItem, deleteEntity, getEntity, idOf } from '../api/resources';
import type { Becoming } from '../media_types/registry';
import { contentLocation } from '../media_types/title';
import { t } from '../texts';
import type { Step } from '../undo/change';
import { stepsOfArrival } from '../undo/arrived';
import { newStep } from '../undo/step_of';
import { undo } from '../undo/undo.svelte';
import type { DroppedFile } from './dropped';
import { exchange } from '../api/exchange';
import { abandon } from './parts';
import { isAbort, isConflict, reason } from './reason';
import { sendFile } from './send';
import { nothingUnderWay, overview, type Overview } from './overview';
import { Pace } from './pace';
import { Transfer, type Goal, type TransferState } from './transfer.svelte';
import {
  forgetUnfinished,
  readUnfinished,
  rememberUnfinished,
  rememberWaiting,
  takeWaiting,
} from './unfinished';

/** Files sent at the same time. */
const AT_ONCE = 3;
/** Milliseconds between two updates of a progress bar, and of what is said of all transfers. */
const PACE = 100;

/** A file with what is to become of it. */
export interface Wish {
  file: DroppedFile;
  goal: Goal;
  becoming: Becoming;
  useTid: number;
}

/** All files on their way, across every screen. Ten thousand of them cost no more at a time than a few. */
class Queue {
  /** How all transfers stand, brought up to date ten times a second at most. */
  overview: Overview = $state.raw(nothingUnderWay());
  /** Bytes per second of all together. */
  rate = $state(0);
  /** Seconds until all have arrived; null while nothing can be said. */
  left: number | null = $state(null);
  open = $state(false);
  /** Told after each file that arrived, with its item. */
  onarrived: (nid: number) => void = () => {};
  /** Told what became of files that came together, when the last of them has arrived. */
  onmade: (made: Step[]) => void = () => {};
  /** Told when nothing is on its way any more: how many have arrived since the last time, and how many need a person. */
  onended: (done: number, need: number) => void = () => {};
  /** Told when an item was removed because its file did not come. */
  ongaveup: (name: string) => void = () => {};
  readonly #transfers = new Map<string, Transfer>();
  /** Those whose turn comes, in order; some may have been paused or cancelled meanwhile. */
  #line: Transfer[] = [];
  #first = 0;
  /** What was made of files that came together, as long as nobody was told. */
  readonly #untold = new Set<Step[]>();
  /** Those that the server may have by now: what becomes of them is about to be remembered. */
  readonly #held = new Map<Transfer, () => void>();
  /** Those that are being prepared or sent, or whose sending is about to end. */
  readonly #inHand = new Set<Transfer>();
  /** How many have arrived since it was last told. */
  #news = 0;
  #number = 1;
  readonly #pace = new Pace();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether something would not arrive if the page were closed now. */
  get busy(): boolean {
    const { running, waiting, paused } = this.overview.groups;
    return running.length + waiting.length + paused.length > 0;
  }

  /** Sends files that came together. What is made of them, and what is in `made` by then, is one step of the undo. */
  add(wishes: Wish[], made: Step[] = []): void {
    for (const { file, goal, becoming, useTid } of wishes) {
      const id = `${Date.now()}-${this.#number++}`;
      const transfer = new Transfer(id, file, goal, becoming, useTid, made);
      this.#transfers.set(id, transfer);
      this.#line.push(transfer);
    }
    this.#untold.add(made);
    this.fill();
    this.show();
  }

  /** Starts waiting transfers while there is room. */
  private fill(): void {
    while (this.#inHand.size < AT_ONCE && this.#first < this.#line.length) {
      const next = this.#line[this.#first++];
      if (next?.state === 'waiting' && !this.#inHand.has(next)) void this.run(next);
    }
    if (this.#first < this.#line.length) return;
    this.#line = [];
    this.#first = 0;
  }

  private async run(transfer: Transfer): Promise<void> {
    this.#inHand.add(transfer);
    transfer.begin();
    this.set(transfer, 'preparing');
    try {
      await this.makeItem(transfer);
      await this.deliver(transfer);
      const [step] = transfer.steps;
      await copyOf(transfer)?.taken(step?.act === 'bytes' ? step.after : null);
      this.arrived(transfer);
    } catch (error) {
      await this.fail(transfer, error);
    }
    this.#inHand.delete(transfer);
    // It was paused and resumed before its sending had ended.
    if (transfer.state === 'waiting') this.#line.push(transfer);
    this.fill();
    if (this.#inHand.size === 0) this.ended();
    else this.soon();
  }

  private ended(): void {
    this.show();
    const { need } = this.overview.groups;
    if (this.#news + need.length === 0) return;
    this.onended(this.#news, need.length);
    this.#news = 0;
  }

  private set(transfer: Transfer, state: TransferState): void {
    transfer.state = state;
    this.soon();
  }

  /** Shows the present state of all before long. */
  private soon(): void {
    this.#timer ??= setTimeout(() => this.show(), PACE);
  }

  /** Shows it now: somebody has just done something. */
  private show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.overview = overview(this.#transfers.values());
    const { all, groups, size, sent } = this.overview;
    this.#pace.note(performance.now(), sent, groups.over.length);
    this.rate = this.#pace.rate;
    this.left = this.#pace.left(size - sent, groups.waiting.length + groups.running.length);
    if (all === 0) this.open = false;
    this.tellMade();
  }

  /** Tells what was made of files that came together, when none of them is under way any more. */
  private tellMade(): void {
    if (this.#untold.size + this.#held.size === 0) return;
    const { running, waiting, paused } = this.overview.groups;
    // One that was cancelled may still be making a collection.
    const all = [...running, ...waiting, ...paused, ...this.#inHand];
    const underWay = new Set(all.map(({ made }) => made));
    for (const made of this.#untold) {
      if (underWay.has(made)) continue;
      this.#untold.delete(made);
      if (made.length > 0) this.onmade(made.splice(0));
    }
    for (const [transfer, letGo] of this.#held) {
      if (this.#inHand.has(transfer)) continue;
      this.#held.delete(transfer);
      letGo();
    }
  }

  private async makeItem(transfer: Transfer): Promise<void> {
    const { goal, file } = transfer;
    if (goal.kind !== 'item' || transfer.nid !== null) return;
    const collection = await goal.collection();
    stopIfStopped(transfer);
    const item = await createItem(goal.title, goal.model, collection, goal.status);
    transfer.nid = idOf('node', item);
    transfer.steps = [{ ...newStep('node', item), withFiles: true }];
    rememberUnfinished({ nid: transfer.nid, name: file.name, title: goal.title });
  }

  /** Sends the file, and says in the transfer how that is taken back. */
  private async deliver(transfer: Transfer): Promise<void> {
    stopIfStopped(transfer);
    const { file, becoming, goal, useTid } = transfer;
    const before =
      goal.kind === 'media' && goal.replaces ? await getEntity('media', goal.replaces.mid) : null;
    stopIfStopped(transfer);
    let shown = 0;
    this.set(transfer, 'sending');
    const order = {
      id: transfer.id,
      source: file.source,
      nid: transfer.nid ?? 0,
      mediaType: becoming.mediaType,
      useTid,
      contentLocation: contentLocation(file.name, new Date()),
      mime: becoming.mime,
      ifMatch: copyOf(transfer)?.etag ?? before?.etag ?? null,
      begun: transfer.begun,
    };
    const sending = sendFile(order, (sent, total) => {
      const now = performance.now();
      if (sent < total && now - shown < PACE) return;
      shown = now;
      transfer.progress(sent, total, now);
      if (transfer.state === 'finishing' && !this.#held.has(transfer)) this.#held.set(transfer, undo.hold());
      this.soon();
    });
    transfer.stopSending = sending.cancel;
    const address = await sending.done.finally(() => (transfer.stopSending = null));
    if (goal.kind === 'media')
      transfer.steps = await stepsOfArrival({ nid: goal.nid, address, before: before?.body ?? null });
  }

  private arrived(transfer: Transfer): void {
    transfer.sent = transfer.file.size;
    this.set(transfer, 'done');
    this.#news += 1;
    transfer.made.push(...transfer.steps);
    transfer.steps = [];
    if (transfer.nid === null) return;
    forgetUnfinished(transfer.nid);
    this.onarrived(transfer.nid);
  }

  private async fail(transfer: Transfer, error: unknown): Promise<void> {
    if (transfer.state === 'paused' || transfer.state === 'waiting') return;
    if (transfer.state === 'cancelled' || isAbort(error)) {
      this.set(transfer, 'cancelled');
      void abandon(transfer.begun, { exchange });
      return this.undoItem(transfer, t.transfers.cancelled);
    }
    this.set(transfer, 'failed');
    const copy = copyOf(transfer);
    transfer.message = reason(error, copy !== undefined);
    // Its words say what another try does.
    if (copy && isConflict(error)) copy.etag = null;
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
      this.set(transfer, 'lost');
      transfer.message = t.transfers.cancelledLeft;
    }
  }

  cancel(transfers: Iterable<Transfer>): void {
    for (const transfer of transfers) this.cancelOne(transfer);
    this.show();
  }

  private cancelOne(transfer: Transfer): void {
    if (transfer.over || transfer.needsYou || transfer.state === 'finishing') return;
    const { running } = transfer;
    transfer.state = 'cancelled';
    transfer.message = transfer.goal.kind === 'item' ? t.transfers.cancelled : t.transfers.cancelledKept;
    if (running) return transfer.stopSending?.();
    void abandon(transfer.begun, { exchange });
    if (transfer.nid !== null) void this.undoItem(transfer, t.transfers.cancelled);
  }

  cancelAll(): void {
    this.cancel(this.#transfers.values());
  }

  /** Holds transfers where they are. A long file goes on from there, a short one is sent once more. */
  pause(transfers: Iterable<Transfer>): void {
    for (const transfer of transfers) {
      if (transfer.state === 'finishing' || (!transfer.running && transfer.state !== 'waiting')) continue;
      transfer.state = 'paused';
      transfer.rate = 0;
      transfer.stopSending?.();
    }
    this.show();
  }

  pauseAll(): void {
    this.pause(this.#transfers.values());
  }

  resume(transfers: Iterable<Transfer>): void {
    this.line([...transfers].filter(({ state }) => state === 'paused'));
  }

  resumeAll(): void {
    this.resume(this.#transfers.values());
  }

  retry(transfers: Iterable<Transfer>): void {
    this.line([...transfers].filter(({ state }) => state === 'failed'));
  }

  private line(transfers: Transfer[]): void {
    for (const transfer of transfers) {
      transfer.state = 'waiting';
      transfer.message = null;
      this.#untold.add(transfer.made);
      this.#line.push(transfer);
    }
    this.fill();
    this.show();
  }

  /** Takes a transfer off the list; an item that still waits for its file goes with it. */
  async dismiss(transfer: Transfer): Promise<void> {
    const waitsForFile = transfer.needsYou && transfer.goal.kind === 'item' && transfer.nid !== null;
    if (waitsForFile) {
      this.set(transfer, 'cancelled');
      await this.undoItem(transfer, t.transfers.cancelled);
      if (!transfer.over) return;
      this.ongaveup(transfer.file.name);
    }
    this.forget(transfer);
  }

  /** Leaves the item as it is, without a file. */
  keepItem(transfer: Transfer): void {
    if (transfer.nid !== null) forgetUnfinished(transfer.nid);
    this.forget(transfer);
  }

  private forget(transfer: Transfer): void {
    void abandon(transfer.begun, { exchange });
    this.#transfers.delete(transfer.id);
    this.show();
  }

  clearFinished(): void {
    for (const transfer of [...this.#transfers.values()])
      if (transfer.over || transfer.neverSent) this.#transfers.delete(transfer.id);
    this.show();
  }

  /** Remembers the files whose turn has not come, for the page that comes after this one. */
  remember(): void {
    const { waiting, paused } = overview(this.#transfers.values()).groups;
    rememberWaiting([...paused, ...waiting].filter(({ nid }) => nid === null).map(({ file }) => file.name));
  }

  /** Puts on the list what an earlier page left unfinished. */
  recall(): void {
    for (const { nid, name, title } of readUnfinished()) this.putLost(`lost-${nid}`, name, title, nid);
    takeWaiting().forEach((name, index) => this.putLost(`waited-${index}`, name, name, null));
    this.open = this.#transfers.size > 0;
    this.show();
  }

  private putLost(id: string, name: string, title: string, nid: number | null): void {
    const file: DroppedFile = { name, size: 0, mime: null, folder: [], source: { path: '' } };
    const goal: Goal = { kind: 'item', title, model: 0, status: true, collection: async () => null };
    const becoming = { mediaType: '', mime: '', model: { tid: 0, name: '', uri: null } };
    const transfer = new Transfer(id, file, goal, becoming, 0, []);
    transfer.nid = nid;
    transfer.state = 'lost';
    transfer.message = nid === null ? t.transfers.neverSent : t.transfers.lost;
    this.#transfers.set(id, transfer);
  }
}

/** Somebody may have cancelled or paused it while something was awaited. */
function stopIfStopped(transfer: Transfer): void {
  if (!transfer.running) throw new DOMException(transfer.state, 'AbortError');
}

function copyOf({ goal }: Transfer) {
  return goal.kind === 'media' ? goal.replaces?.copy : undefined;
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

export const queue = new Queue();
