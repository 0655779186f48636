import { undoHistory } from '../../state/undo_history.svelte';
import { MAX_UPLOADS } from '../../api/concurrency';
import { getEntity, idOf } from '../../api/resources';
import { createItem } from '../../state/create_item';
import type { FileClassification } from '../../media_display/file_kinds';
import { contentLocation } from '../../media_display/title';
import { t } from '../../texts';
import type { Step } from '../../state/undo_stack';
import { pagesAfterUpload } from '../pages/make_pages';
import { uploadSteps } from './upload_steps';
import { newStep } from '../../state/undo_steps';
import { Throughput } from '../../state/throughput';
import type { DroppedFile } from './dropped_files';
import { sendUploadRequest } from '../../api/exchange';
import { abortUpload } from './resumable_upload';
import { removeEmptyItem } from './empty_item';
import { isAbort, isConflict, failureMessage } from './failure_message';
import { startUpload } from './upload';
import { emptyOverview, summarizeTransfers, type TransferOverview } from './overview';
import { rememberSpeed } from './upload_speed';
import { Transfer, type TransferGoal, type TransferState } from './transfer.svelte';
import {
  forgetUnfinished,
  readUnfinished,
  rememberUnfinished,
  rememberWaitingNames,
  takeWaitingNames,
} from './unfinished_uploads';

/** Milliseconds between updates of progress and summary. */
const UPDATE_INTERVAL = 100;

/** A file and what its upload makes. */
export interface UploadPlanItem {
  file: DroppedFile;
  goal: TransferGoal;
  classification: FileClassification;
  useTid: number;
}

/** The queue of all uploads. Its cost per update does not depend on its length. */
class TransferQueue {
  /** Summary of all transfers, updated at most ten times a second. */
  overview: TransferOverview = $state.raw(emptyOverview());
  rate = $state(0);
  /** Null while it is unknown. */
  secondsLeft: number | null = $state(null);
  open = $state(false);
  /** Called after each upload with its item. */
  onuploaded: (nid: number) => void = () => {};
  /** Called with the undo steps of a batch when its last upload has ended. */
  onbatchdone: (steps: Step[]) => void = () => {};
  /**
   * Called when no upload is active, with the number of uploads since the last call and of those that need
   * attention.
   */
  onidle: (done: number, need: number) => void = () => {};
  /** Called when an item was removed because its file was not uploaded. */
  onitemremoved: (name: string) => void = () => {};
  readonly #transfers = new Map<string, Transfer>();
  /** Waiting transfers in order. Some may have been paused or cancelled. */
  #waiting: Transfer[] = [];
  #nextIndex = 0;
  /** Undo steps of batches that are not reported yet. */
  readonly #unreported = new Set<Step[]>();
  /** Uploads that the server may have completed: their undo steps will be recorded soon. */
  readonly #undoHolds = new Map<Transfer, () => void>();
  /** Transfers that are prepared or sent, or whose request is ending. */
  readonly #active = new Set<Transfer>();
  #doneSinceIdle = 0;
  #number = 1;
  readonly #throughput = new Throughput();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether closing the page would interrupt uploads. */
  get busy(): boolean {
    const { running, waiting, paused } = this.overview.groups;
    return running.length + waiting.length + paused.length > 0;
  }

  /** Adds uploads. Their undo steps, with those in `steps`, are one change. */
  add(uploads: UploadPlanItem[], steps: Step[] = []): void {
    for (const { file, goal, classification, useTid } of uploads) {
      const id = `${Date.now()}-${this.#number++}`;
      const transfer = new Transfer(id, file, goal, classification, useTid, steps);
      this.#transfers.set(id, transfer);
      this.#waiting.push(transfer);
    }
    this.#unreported.add(steps);
    this.startWaiting();
    this.update();
  }

  /** Starts waiting transfers up to `MAX_UPLOADS`. */
  private startWaiting(): void {
    while (this.#active.size < MAX_UPLOADS && this.#nextIndex < this.#waiting.length) {
      const next = this.#waiting[this.#nextIndex++];
      if (next?.state === 'waiting' && !this.#active.has(next)) void this.run(next);
    }
    if (this.#nextIndex < this.#waiting.length) return;
    this.#waiting = [];
    this.#nextIndex = 0;
  }

  private async run(transfer: Transfer): Promise<void> {
    this.#active.add(transfer);
    transfer.reset();
    this.setState(transfer, 'preparing');
    try {
      await this.createItem(transfer);
      await this.upload(transfer);
      const [step] = transfer.steps;
      await workingCopyOf(transfer)?.taken(step?.act === 'bytes' ? step.after : null);
      this.finish(transfer);
    } catch (error) {
      await this.fail(transfer, error);
    }
    this.#active.delete(transfer);
    // It was paused and resumed before its request had ended.
    if (transfer.state === 'waiting') this.#waiting.push(transfer);
    this.startWaiting();
    if (this.#active.size === 0) this.reportIdle();
    else this.scheduleUpdate();
  }

  private reportIdle(): void {
    this.update();
    const { need } = this.overview.groups;
    if (this.#doneSinceIdle + need.length === 0) return;
    this.onidle(this.#doneSinceIdle, need.length);
    this.#doneSinceIdle = 0;
  }

  private setState(transfer: Transfer, state: TransferState): void {
    transfer.state = state;
    this.scheduleUpdate();
  }

  /** Schedules an update. */
  private scheduleUpdate(): void {
    this.#timer ??= setTimeout(() => this.update(), UPDATE_INTERVAL);
  }

  /** Updates at once, after an action of the user. */
  private update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.overview = summarizeTransfers(this.#transfers.values());
    const { count, groups, size, sent } = this.overview;
    this.#throughput.record(performance.now(), sent, groups.over.length);
    this.rate = this.#throughput.rate;
    rememberSpeed(this.rate, sent);
    this.secondsLeft = this.#throughput.secondsLeft(
      size - sent,
      groups.waiting.length + groups.running.length,
    );
    if (count === 0) this.open = false;
    this.reportBatches();
  }

  /** Reports batches of which no upload is active. */
  private reportBatches(): void {
    if (this.#unreported.size + this.#undoHolds.size === 0) return;
    const { running, waiting, paused } = this.overview.groups;
    // A cancelled upload may still be creating a collection.
    const count = [...running, ...waiting, ...paused, ...this.#active];
    const underWay = new Set(count.map(({ batchSteps: steps }) => steps));
    for (const steps of this.#unreported) {
      if (underWay.has(steps)) continue;
      this.#unreported.delete(steps);
      if (steps.length > 0) this.onbatchdone(steps.splice(0));
    }
    for (const [transfer, release] of this.#undoHolds) {
      if (this.#active.has(transfer)) continue;
      this.#undoHolds.delete(transfer);
      release();
    }
  }

  private async createItem(transfer: Transfer): Promise<void> {
    const { goal, file } = transfer;
    if (goal.kind !== 'item' || transfer.nid !== null) return;
    const collection = await goal.collection();
    throwIfStopped(transfer);
    const { title, model, status, place } = goal;
    const create = (weight?: number) => createItem(title, model, collection, { status, weight });
    const item = await (place ? place.series.add(collection, place.index, create) : create());
    transfer.nid = idOf('node', item);
    transfer.steps = [{ ...newStep('node', item), withFiles: true }];
    rememberUnfinished({ nid: transfer.nid, name: file.name, title: goal.title });
  }

  /** Uploads the file and records its undo steps. */
  private async upload(transfer: Transfer): Promise<void> {
    throwIfStopped(transfer);
    const { file, classification, goal, useTid } = transfer;
    const before =
      goal.kind === 'media' && goal.replaces ? await getEntity('media', goal.replaces.mid) : null;
    throwIfStopped(transfer);
    let shown = 0;
    this.setState(transfer, 'sending');
    const order = {
      id: transfer.id,
      source: file.source,
      nid: transfer.nid ?? 0,
      mediaType: classification.mediaType,
      useTid,
      contentLocation: contentLocation(file.name, new Date()),
      mime: classification.mime,
      ifMatch: workingCopyOf(transfer)?.etag ?? before?.etag ?? null,
      handle: transfer.uploadHandle,
    };
    const sending = startUpload(order, (sent, total) => {
      const now = performance.now();
      if (sent < total && now - shown < UPDATE_INTERVAL) return;
      shown = now;
      transfer.updateProgress(sent, total, now);
      if (transfer.state === 'finishing' && !this.#undoHolds.has(transfer))
        this.#undoHolds.set(transfer, undoHistory.hold());
      this.scheduleUpdate();
    });
    transfer.stopSending = sending.cancel;
    const address = await sending.done.finally(() => (transfer.stopSending = null));
    if (goal.kind === 'media')
      transfer.steps = await uploadSteps({ nid: goal.nid, address, before: before?.body ?? null });
    else if (goal.pages)
      transfer.steps.push(...(await pagesAfterUpload(transfer.nid, goal.title, goal.pages)));
  }

  private finish(transfer: Transfer): void {
    transfer.sent = transfer.file.size;
    this.setState(transfer, 'done');
    this.#doneSinceIdle += 1;
    transfer.batchSteps.push(...transfer.steps);
    transfer.steps = [];
    if (transfer.nid === null) return;
    forgetUnfinished(transfer.nid);
    this.onuploaded(transfer.nid);
  }

  private async fail(transfer: Transfer, error: unknown): Promise<void> {
    if (transfer.state === 'paused' || transfer.state === 'waiting') return;
    if (transfer.state === 'cancelled' || isAbort(error)) {
      this.setState(transfer, 'cancelled');
      void abortUpload(transfer.uploadHandle, { send: sendUploadRequest });
      return this.removeItem(transfer, t.transfers.cancelled);
    }
    this.setState(transfer, 'failed');
    const copy = workingCopyOf(transfer);
    transfer.message = failureMessage(error, copy !== undefined);
    // The message says what a retry does.
    if (copy && isConflict(error)) copy.etag = null;
    this.open = true;
  }

  /** Deletes the item of a cancelled upload, unless it has a file. */
  private async removeItem(transfer: Transfer, message: string): Promise<void> {
    if (transfer.goal.kind === 'media') {
      transfer.message = t.transfers.cancelledKept;
      return;
    }
    try {
      if (transfer.nid !== null && !(await removeEmptyItem(transfer.nid))) return this.finish(transfer);
      transfer.nid = null;
      transfer.message = message;
    } catch {
      this.setState(transfer, 'lost');
      transfer.message = t.transfers.cancelledLeft;
    }
  }

  cancel(transfers: Iterable<Transfer>): void {
    for (const transfer of transfers) this.cancelOne(transfer);
    this.update();
  }

  private cancelOne(transfer: Transfer): void {
    if (transfer.finished || transfer.needsAttention || transfer.state === 'finishing') return;
    const { running } = transfer;
    transfer.state = 'cancelled';
    transfer.message = transfer.goal.kind === 'item' ? t.transfers.cancelled : t.transfers.cancelledKept;
    if (running) return transfer.stopSending?.();
    void abortUpload(transfer.uploadHandle, { send: sendUploadRequest });
    if (transfer.nid !== null) void this.removeItem(transfer, t.transfers.cancelled);
  }

  cancelAll(): void {
    this.cancel(this.#transfers.values());
  }

  /** Pauses transfers. A resumable upload continues where it was, a short one is sent again. */
  pause(transfers: Iterable<Transfer>): void {
    for (const transfer of transfers) {
      if (transfer.state === 'finishing' || (!transfer.running && transfer.state !== 'waiting')) continue;
      transfer.state = 'paused';
      transfer.rate = 0;
      transfer.stopSending?.();
    }
    this.update();
  }

  pauseAll(): void {
    this.pause(this.#transfers.values());
  }

  resume(transfers: Iterable<Transfer>): void {
    this.enqueue([...transfers].filter(({ state }) => state === 'paused'));
  }

  resumeAll(): void {
    this.resume(this.#transfers.values());
  }

  retry(transfers: Iterable<Transfer>): void {
    this.enqueue([...transfers].filter(({ state }) => state === 'failed'));
  }

  private enqueue(transfers: Transfer[]): void {
    for (const transfer of transfers) {
      transfer.state = 'waiting';
      transfer.message = null;
      this.#unreported.add(transfer.batchSteps);
      this.#waiting.push(transfer);
    }
    this.startWaiting();
    this.update();
  }

  /** Removes a transfer from the list, with the item that waits for its file. */
  async dismiss(transfer: Transfer): Promise<void> {
    const waitsForFile = transfer.needsAttention && transfer.goal.kind === 'item' && transfer.nid !== null;
    if (waitsForFile) {
      this.setState(transfer, 'cancelled');
      await this.removeItem(transfer, t.transfers.cancelled);
      if (!transfer.finished) return;
      this.onitemremoved(transfer.file.name);
    }
    this.forget(transfer);
  }

  /** Removes the transfer and keeps its item without a file. */
  keepItem(transfer: Transfer): void {
    if (transfer.nid !== null) forgetUnfinished(transfer.nid);
    this.forget(transfer);
  }

  private forget(transfer: Transfer): void {
    void abortUpload(transfer.uploadHandle, { send: sendUploadRequest });
    this.#transfers.delete(transfer.id);
    this.update();
  }

  clearFinished(): void {
    for (const transfer of [...this.#transfers.values()])
      if (transfer.finished || transfer.neverSent) this.#transfers.delete(transfer.id);
    this.update();
  }

  /** Stores the names of waiting files for the next page. */
  rememberWaiting(): void {
    const { waiting, paused } = summarizeTransfers(this.#transfers.values()).groups;
    rememberWaitingNames(
      [...paused, ...waiting].filter(({ nid }) => nid === null).map(({ file }) => file.name),
    );
  }

  /** Adds unfinished uploads of an earlier page to the list. */
  restore(): void {
    for (const { nid, name, title } of readUnfinished()) this.addLost(`lost-${nid}`, name, title, nid);
    takeWaitingNames().forEach((name, index) => this.addLost(`waited-${index}`, name, name, null));
    this.open = this.#transfers.size > 0;
    this.update();
  }

  private addLost(id: string, name: string, title: string, nid: number | null): void {
    const file: DroppedFile = { name, size: 0, mime: null, folder: [], source: { path: '' } };
    const goal: TransferGoal = { kind: 'item', title, model: 0, status: true, collection: async () => null };
    const classification = { mediaType: '', mime: '', model: { tid: 0, name: '', uri: null } };
    const transfer = new Transfer(id, file, goal, classification, 0, []);
    transfer.nid = nid;
    transfer.state = 'lost';
    transfer.message = nid === null ? t.transfers.neverSent : t.transfers.lost;
    this.#transfers.set(id, transfer);
  }
}

/** Throws when the transfer was cancelled or paused while something was awaited. */
function throwIfStopped(transfer: Transfer): void {
  if (!transfer.running) throw new DOMException(transfer.state, 'AbortError');
}

function workingCopyOf({ goal }: Transfer) {
  return goal.kind === 'media' ? goal.replaces?.workingCopy : undefined;
}

export const transferQueue = new TransferQueue();
