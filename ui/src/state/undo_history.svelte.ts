import { repository } from './repository.svelte';
import { EMPTY_STACK, parseStack, pushChange, type Step, type UndoStack } from './undo_stack';

/** The changes that the signed-in user made, stored per user so that they can be undone after a restart. */
class UndoHistory {
  #stack: UndoStack = $state.raw(EMPTY_STACK);
  /** The storage key that `#stack` belongs to. */
  #loadedKey: string | null = null;
  /** Changes in progress: they have not recorded their steps yet. */
  #pending = new Set<Promise<unknown>>();
  /** Those of the changes in progress that wait until somebody resumes them. */
  readonly #paused = new Set<number>();
  #onpause: () => void = () => {};

  /** Records the steps of one change. */
  record(...steps: Step[]): void {
    this.recordAll(steps);
  }

  /** Like `record`, for more steps than a function call can take as arguments. */
  recordAll(steps: Step[]): void {
    this.write(pushChange(this.read(), { steps }));
  }

  /** Runs a change that records its steps; an undo that is requested meanwhile waits for it. */
  async during<T>(change: () => Promise<T>): Promise<T> {
    const work = change();
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }

  /** Announces that steps will be recorded; an undo waits until the returned function is called. */
  hold(): () => void {
    let resolve = () => {};
    const promise = new Promise<void>((done) => (resolve = done));
    this.#pending.add(promise);
    return () => {
      this.#pending.delete(promise);
      resolve();
    };
  }

  /** Notes whether a batch that is followed is paused: an undo does not wait for it. */
  setPaused(batch: number, isPaused: boolean): void {
    if (!isPaused) this.#paused.delete(batch);
    else this.#paused.add(batch);
    if (isPaused) this.#onpause();
  }

  /** Resolves when the changes that are in progress now have recorded their steps, or one of them is paused. */
  async settled(): Promise<void> {
    if (this.#paused.size > 0) return;
    const paused = new Promise<void>((resolve) => (this.#onpause = resolve));
    await Promise.race([Promise.allSettled(this.#pending), paused]);
  }

  /** The stack as stored now, without loading it. Reactive. */
  peek(): UndoStack {
    return this.stored() ?? this.#stack;
  }

  /** Loads the stack: another page of the same user may have changed it. */
  read(): UndoStack {
    this.#stack = this.stored() ?? (this.#loadedKey === this.key ? this.#stack : EMPTY_STACK);
    this.#loadedKey = this.key;
    return this.#stack;
  }

  /** Stores the stack. The oldest changes are dropped when the storage is full. */
  write(stack: UndoStack): void {
    this.#stack = stack;
    this.#loadedKey = this.key;
    for (let fitting = stack; ; fitting = { ...fitting, past: fitting.past.slice(1) }) {
      try {
        localStorage.setItem(this.key, JSON.stringify(fitting));
        return;
      } catch {
        if (fitting.past.length === 0) break;
      }
    }
    this.removeStored();
  }

  private get key(): string {
    return `isolario.undo.${repository.user?.uid ?? 0}`;
  }

  /** Null without storage: the stack then lasts as long as the page. */
  private stored(): UndoStack | null {
    try {
      const text = localStorage.getItem(this.key);
      return text === null ? null : parseStack(text);
    } catch {
      return null;
    }
  }

  private removeStored(): void {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Storage is forbidden, so nothing is stored.
    }
  }
}

export const undoHistory = new UndoHistory();
