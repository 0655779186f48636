import { ApiError, Unreachable } from '../api/errors';
import { toaster } from '../parts/toast.svelte';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';
import {
  did,
  didAgain,
  dropped,
  inOrder,
  NOTHING_DONE,
  readDone,
  tookBack,
  type Change,
  type Done,
  type Step,
} from './change';
import { prepare, type Direction, type LaterEdit, type Prepared } from './steps';
import { wordsOf } from './words';

/** A change that somebody else has built upon: a person decides. */
export interface Question {
  direction: Direction;
  words: string;
  later: LaterEdit[];
  goOn: () => Promise<void>;
}

/** What was done in this window, to be taken back and done again. Kept for each person across restarts. */
class Undo {
  #done: Done = $state.raw(NOTHING_DONE);
  #of: string | null = null;
  busy = $state(false);
  /** Counts what was taken back and done again. */
  moves = $state(0);
  question: Question | null = $state.raw(null);
  /** Told after something was taken back or done again. */
  onmoved: () => void = () => {};

  /** Remembers what was done. */
  did(...steps: Step[]): void {
    this.keep(did(this.read(), { steps }));
  }

  /** The change that would be taken back, or done again, in words; null where there is none. */
  next(direction: Direction): string | null {
    const { past, future } = this.kept() ?? this.#done;
    const change = (direction === 'undo' ? past : future).at(-1);
    return change ? wordsOf(change) : null;
  }

  async undo(): Promise<void> {
    await this.move('undo');
  }

  async redo(): Promise<void> {
    await this.move('redo');
  }

  private async move(direction: Direction): Promise<void> {
    const done = this.read();
    const change = (direction === 'undo' ? done.past : done.future).at(-1);
    if (this.busy || this.question) return;
    if (!change) return toaster.say(direction === 'undo' ? t.undo.nothing : t.undo.nothingAgain);
    this.busy = true;
    try {
      const prepared: Prepared[] = [];
      for (const step of inOrder(change, direction)) prepared.push(await prepare(step, direction));
      const later = prepared.flatMap((step) => step.later);
      if (later.length === 0) await this.run(change, prepared, direction);
      else this.ask(change, prepared, later, direction);
    } catch (error) {
      this.failed(change, error, direction);
    } finally {
      this.busy = false;
    }
  }

  private ask(change: Change, prepared: Prepared[], later: LaterEdit[], direction: Direction): void {
    this.question = {
      direction,
      words: wordsOf(change),
      later,
      goOn: async () => {
        this.question = null;
        try {
          await this.run(change, prepared, direction);
        } catch (error) {
          this.failed(change, error, direction);
        }
      },
    };
  }

  private async run(change: Change, prepared: Prepared[], direction: Direction): Promise<void> {
    for (const { run } of prepared) await run();
    this.keep(direction === 'undo' ? tookBack(this.read()) : didAgain(this.read()));
    this.moves += 1;
    this.onmoved();
    const words = wordsOf(change);
    if (direction === 'undo') {
      toaster.say(t.undo.undone(words), { label: t.undo.redo, run: () => void this.redo() });
    } else {
      toaster.say(t.undo.redone(words), { label: t.toast.undo, run: () => void this.undo() });
    }
  }

  /** What is gone or not allowed will not become possible: the next one is offered then. */
  private failed(change: Change, error: unknown, direction: Direction): void {
    this.onmoved();
    if (error instanceof Unreachable) return toaster.warn(t.failures.unreachable);
    const words = error instanceof Error ? error.message : String(error);
    toaster.warn(t.undo.failed(wordsOf(change), words));
    const hopeless = error instanceof ApiError && [403, 404, 409, 422].includes(error.status);
    if (hopeless) this.keep(dropped(this.read(), direction));
  }

  private get key(): string {
    return `isolario.undo.${repository.user?.uid ?? 0}`;
  }

  /** Another page of the same person may have written meanwhile. */
  private read(): Done {
    this.#done = this.kept() ?? (this.#of === this.key ? this.#done : NOTHING_DONE);
    this.#of = this.key;
    return this.#done;
  }

  /** Null without storage: it then lasts as long as the page. */
  private kept(): Done | null {
    try {
      return readDone(localStorage.getItem(this.key));
    } catch {
      return null;
    }
  }

  private keep(done: Done): void {
    this.#done = done;
    this.#of = this.key;
    try {
      localStorage.setItem(this.key, JSON.stringify(done));
    } catch {
      // Storage may be full or forbidden.
    }
  }
}

export const undo = new Undo();
