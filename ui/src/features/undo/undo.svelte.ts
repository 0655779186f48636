import { ServerUnreachable } from '../../api/errors';
import { toaster, type ToastAction } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import {
  moveChange,
  removeChange,
  stepsInOrder,
  withoutSteps,
  type UndoChange,
  type Direction,
} from '../../state/undo_stack';
import { t } from '../../texts';
import { changeLabel } from './change_label';
import type { LaterEdit, PreparedStep } from './prepare_step';
import { isPermanent, prepareAll, runAll, type UndoResult } from './run_steps';

/** A change that somebody else has edited since: the user decides whether to undo it. */
export interface UndoConflict {
  direction: Direction;
  label: string;
  later: LaterEdit[];
  proceed: () => Promise<void>;
}

/** Progress is reported after this many steps. */
const PROGRESS_INTERVAL = 25;

/** Undoes and redoes recorded changes, one at a time. */
class Undo {
  #queue: Promise<void> = Promise.resolve();
  /** Number of undos and redos so far. */
  moves = $state(0);
  conflict: UndoConflict | null = $state.raw(null);
  /** Called after every undo and redo. */
  onmoved: () => void = () => {};

  /** The label of the change that would be undone or redone; null when there is none. */
  next(direction: Direction): string | null {
    const { past, future } = undoHistory.peek();
    const change = (direction === 'undo' ? past : future).at(-1);
    return change ? changeLabel(change) : null;
  }

  undo(): Promise<void> {
    return this.enqueue(() => this.move('undo'));
  }

  redo(): Promise<void> {
    return this.enqueue(() => this.move('redo'));
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.catch(() => {}).then(work);
    return this.#queue;
  }

  private async move(direction: Direction): Promise<void> {
    // Queued requests are dropped while a conflict waits for the user's decision.
    if (this.conflict) return;
    await undoHistory.settled();
    const stack = undoHistory.read();
    const change = (direction === 'undo' ? stack.past : stack.future).at(-1);
    if (!change) return toaster.say(direction === 'undo' ? t.undo.nothing : t.undo.nothingToRedo);
    try {
      await this.prepare(change, direction);
    } catch (error) {
      this.fail(change, error, direction);
    }
  }

  private async prepare(change: UndoChange, direction: Direction): Promise<void> {
    const prepared = await prepareAll(stepsInOrder(change, direction), direction);
    const later = prepared.flatMap((step) => step.later);
    if (later.length === 0) await this.run(change, prepared, direction);
    else this.askFirst(change, prepared, later, direction);
  }

  private askFirst(
    change: UndoChange,
    prepared: PreparedStep[],
    later: LaterEdit[],
    direction: Direction,
  ): void {
    const run = async () => {
      try {
        await this.run(change, prepared, direction);
      } catch (error) {
        this.fail(change, error, direction);
      }
    };
    const proceed = () => {
      this.conflict = null;
      return this.enqueue(run);
    };
    this.conflict = { direction, label: changeLabel(change), later, proceed };
  }

  private async run(change: UndoChange, prepared: PreparedStep[], direction: Direction): Promise<void> {
    const stop = new AbortController();
    const onstep = (done: number, all: number) => this.reportProgress(done, all, direction, stop);
    const result = await runAll(prepared, { signal: stop.signal, onstep });
    if (result.steps.length === 0 && result.failure) throw result.failure;
    undoHistory.write(moveChange(undoHistory.read(), direction, change, result.steps));
    this.moves += 1;
    this.onmoved();
    if (change.steps.length > result.steps.length) return this.reportPartial(change, result, direction);
    const label = changeLabel(change);
    const left = result.steps.reduce((sum, step) => sum + (step.act === 'batch' ? (step.left ?? 0) : 0), 0);
    if (left > 0) return toaster.warn(t.undo.someLeft(label, left));
    if (direction === 'undo') {
      toaster.say(t.undo.undone(label), { label: t.undo.redo, run: () => void this.redo() });
    } else {
      toaster.say(t.undo.redone(label), { label: t.toast.undo, run: () => void this.undo() });
    }
  }

  private reportProgress(done: number, all: number, direction: Direction, stop: AbortController): void {
    if (all < PROGRESS_INTERVAL || done % PROGRESS_INTERVAL !== 0) return;
    const text = direction === 'undo' ? t.undo.undoing(done, all) : t.undo.redoing(done, all);
    toaster.say(text, { label: t.batch.stop, run: () => stop.abort() });
  }

  private reportPartial(change: UndoChange, { steps, failure }: UndoResult, direction: Direction): void {
    const reason = failure instanceof Error ? failure.message : '';
    const rest = withoutSteps(change, steps);
    if (isPermanent(failure)) undoHistory.write(removeChange(undoHistory.read(), direction, rest));
    toaster.warn(t.undo.part(steps.length, rest.steps.length, failure ? reason : t.undo.stopped));
  }

  /** A change that can never succeed is removed, so that the one before it can be undone. */
  private fail(change: UndoChange, error: unknown, direction: Direction): void {
    this.onmoved();
    if (error instanceof ServerUnreachable) return toaster.warn(t.failures.unreachable);
    const reason = error instanceof Error ? error.message : String(error);
    toaster.warn(t.undo.failed(changeLabel(change), reason));
    if (isPermanent(error)) undoHistory.write(removeChange(undoHistory.read(), direction, change));
  }
}

export const undo = new Undo();

/** The undo button of a toast. */
export function undoAction(): ToastAction {
  return { label: t.toast.undo, run: () => void undo.undo() };
}
