import { Unreachable } from '../api/errors';
import { toaster, type Message } from '../parts/toast.svelte';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';
import {
  did,
  dropped,
  inOrder,
  leftOf,
  moved,
  NOTHING_DONE,
  readDone,
  type Change,
  type Direction,
  type Done,
  type Step,
} from './change';
import type { LaterEdit, Prepared } from './steps';
import { isHopeless, prepareAll, runAll, type Outcome } from './steps_of_many';
import { wordsOf } from './words';

/** A change that somebody else has built upon: a person decides. */
export interface Question {
  direction: Direction;
  words: string;
  later: LaterEdit[];
  goOn: () => Promise<void>;
}

/** Steps after which it is said how far a long change is. */
const MANY = 25;

/** What was done in this window, to be taken back and done again. Kept for each person across restarts. */
class Undo {
  #done: Done = $state.raw(NOTHING_DONE);
  #of: string | null = null;
  /** Changes that are being made: the latest of them may be what somebody wants to take back. */
  #underWay = new Set<Promise<unknown>>();
  /** What is being taken back or done again, and what comes after it. */
  #line: Promise<void> = Promise.resolve();
  /** Counts what was taken back and done again. */
  moves = $state(0);
  question: Question | null = $state.raw(null);
  /** Told after something was taken back or done again. */
  onmoved: () => void = () => {};

  /** Remembers what was done. */
  did(...steps: Step[]): void {
    this.didAll(steps);
  }

  /** As `did`, of more steps than a function takes arguments. */
  didAll(steps: Step[]): void {
    this.keep(did(this.read(), { steps }));
  }

  /** Makes a change, with all that it remembers; whoever wants to take something back meanwhile waits for it. */
  async during<T>(change: () => Promise<T>): Promise<T> {
    const work = change();
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Something is about to be remembered; whoever wants to take something back meanwhile waits until it is let go. */
  hold(): () => void {
    const { promise, resolve } = openPromise();
    this.#underWay.add(promise);
    return () => {
      this.#underWay.delete(promise);
      resolve();
    };
  }

  /** The change that would be taken back, or done again, in words; null where there is none. */
  next(direction: Direction): string | null {
    const { past, future } = this.kept() ?? this.#done;
    const change = (direction === 'undo' ? past : future).at(-1);
    return change ? wordsOf(change) : null;
  }

  undo(): Promise<void> {
    return this.move('undo');
  }

  redo(): Promise<void> {
    return this.move('redo');
  }

  /** One after the other, however fast they are asked for. */
  private move(direction: Direction): Promise<void> {
    return this.inLine(() => this.take(direction));
  }

  private inLine(work: () => Promise<void>): Promise<void> {
    this.#line = this.#line.catch(() => {}).then(work);
    return this.#line;
  }

  private async take(direction: Direction): Promise<void> {
    // What a person has to decide comes before all that was asked for after it.
    if (this.question) return;
    await Promise.allSettled(this.#underWay);
    const done = this.read();
    const change = (direction === 'undo' ? done.past : done.future).at(-1);
    if (!change) return toaster.say(direction === 'undo' ? t.undo.nothing : t.undo.nothingAgain);
    try {
      await this.begin(change, direction);
    } catch (error) {
      this.failed(change, error, direction);
    }
  }

  private async begin(change: Change, direction: Direction): Promise<void> {
    const prepared = await prepareAll(inOrder(change, direction), direction);
    const later = prepared.flatMap((step) => step.later);
    if (later.length === 0) await this.run(change, prepared, direction);
    else this.ask(change, prepared, later, direction);
  }

  private ask(change: Change, prepared: Prepared[], later: LaterEdit[], direction: Direction): void {
    const run = async () => {
      try {
        await this.run(change, prepared, direction);
      } catch (error) {
        this.failed(change, error, direction);
      }
    };
    const goOn = () => {
      this.question = null;
      return this.inLine(run);
    };
    this.question = { direction, words: wordsOf(change), later, goOn };
  }

  private async run(change: Change, prepared: Prepared[], direction: Direction): Promise<void> {
    const stop = new AbortController();
    const onstep = (done: number) => this.tell(done, prepared.length, direction, stop);
    const outcome = await runAll(prepared, { signal: stop.signal, onstep });
    if (outcome.moved.length === 0 && outcome.failure) throw outcome.failure;
    this.keep(moved(this.read(), direction, change, outcome.moved));
    this.moves += 1;
    this.onmoved();
    const left = change.steps.length - outcome.moved.length;
    if (left > 0) return this.partly(change, outcome, direction);
    const words = wordsOf(change);
    if (direction === 'undo') {
      toaster.say(t.undo.undone(words), { label: t.undo.redo, run: () => void this.redo() });
    } else {
      toaster.say(t.undo.redone(words), { label: t.toast.undo, run: () => void this.undo() });
    }
  }

  /** Many steps take a while: now and then it is said how far they are. */
  private tell(done: number, all: number, direction: Direction, stop: AbortController): void {
    if (all < MANY || done % MANY !== 0) return;
    const words = direction === 'undo' ? t.undo.going(done, all) : t.undo.goingAgain(done, all);
    toaster.say(words, { label: t.batch.stop, run: () => stop.abort() });
  }

  private partly(change: Change, { moved: went, failure }: Outcome, direction: Direction): void {
    const words = failure instanceof Error ? failure.message : '';
    const rest = leftOf(change, went);
    if (isHopeless(failure)) this.keep(dropped(this.read(), direction, rest));
    toaster.warn(t.undo.part(went.length, rest.steps.length, failure ? words : t.undo.stopped));
  }

  /** What is gone or not allowed will not become possible: the next one is offered then. */
  private failed(change: Change, error: unknown, direction: Direction): void {
    this.onmoved();
    if (error instanceof Unreachable) return toaster.warn(t.failures.unreachable);
    const words = error instanceof Error ? error.message : String(error);
    toaster.warn(t.undo.failed(wordsOf(change), words));
    if (isHopeless(error)) this.keep(dropped(this.read(), direction, change));
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
      const text = localStorage.getItem(this.key);
      return text === null ? null : readDone(text);
    } catch {
      return null;
    }
  }

  /** Where storage has no more room, the oldest changes make it. */
  private keep(done: Done): void {
    this.#done = done;
    this.#of = this.key;
    for (let kept = done; ; kept = { ...kept, past: kept.past.slice(1) }) {
      try {
        localStorage.setItem(this.key, JSON.stringify(kept));
        return;
      } catch {
        if (kept.past.length === 0) break;
      }
    }
    this.forget();
  }

  /** Without room or storage it lasts as long as the page. */
  private forget(): void {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Storage is forbidden: nothing is kept there.
    }
  }
}

function openPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

export const undo = new Undo();

/** The button of a message that says what was done. */
export function takeBack(): NonNullable<Message['act']> {
  return { label: t.toast.undo, run: () => void undo.undo() };
}
