/** Milliseconds that the pointer rests on an item until the item is the target. */
export const HOLD_TIME = 600;
/** Pixels that a resting pointer may move. */
const JITTER = 10;

/** Waits until dragged files are held over an item, so that an item in their way is not taken for their target. */
export class DropHold {
  /** Title of the item that the pointer rests on; empty: none. */
  name = $state('');
  /** Whether the pointer has rested on it long enough. */
  held = $state(false);
  #mark: string | null = null;
  #at = { x: 0, y: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The pointer is over an item; null: over none. `onheld` is called when it has rested there. */
  move(mark: string | null, name: string, { x, y }: { x: number; y: number }, onheld: () => void): void {
    const isSame = mark === this.#mark;
    if (isSame && (mark === null || this.held || this.isNear(x, y))) return;
    clearTimeout(this.#timer);
    [this.#mark, this.name, this.held, this.#at] = [mark, name, false, { x, y }];
    if (mark === null) return;
    this.#timer = setTimeout(() => {
      this.held = true;
      onheld();
    }, HOLD_TIME);
  }

  end(): void {
    clearTimeout(this.#timer);
    [this.#mark, this.name, this.held] = [null, '', false];
  }

  private isNear(x: number, y: number): boolean {
    return Math.hypot(x - this.#at.x, y - this.#at.y) <= JITTER;
  }
}
