import { suppressNextClick } from '../organize_items/item_drag.svelte';

export interface SelectionBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const THRESHOLD = 5;
/** Distance in pixels from an edge at which the list scrolls. */
const SCROLL_EDGE = 24;

/** Selection by a rubber band, in scrolled coordinates. */
export class RubberBand {
  box: SelectionBox | null = $state.raw(null);
  #scroll = 0;

  /** Starts a rubber band; `onbox` is called for every change of it. */
  start(press: PointerEvent, scroller: HTMLElement, onbox: (box: SelectionBox) => void): void {
    // A press on the scroll bar starts none.
    if (press.button !== 0 || press.pointerType === 'touch' || press.offsetX > scroller.clientWidth) return;
    const end = new AbortController();
    const { signal } = end;
    const frame = scroller.getBoundingClientRect();
    const inside = (x: number, y: number) => [x - frame.left, y - frame.top + scroller.scrollTop] as const;
    const [x0, y0] = inside(press.clientX, press.clientY);
    const draw = (event: PointerEvent) => {
      const [x, y] = inside(event.clientX, event.clientY);
      if (!this.box && Math.hypot(x - x0, y - y0) < THRESHOLD) return;
      this.box = {
        left: Math.min(x, x0),
        right: Math.max(x, x0),
        top: Math.min(y, y0),
        bottom: Math.max(y, y0),
      };
      onbox(this.box);
      this.autoScroll(event, scroller, frame, draw);
    };
    const finish = () => {
      end.abort();
      cancelAnimationFrame(this.#scroll);
      if (this.box) suppressNextClick();
      this.box = null;
    };
    addEventListener('pointermove', draw, { signal });
    for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, finish, { signal });
  }

  private autoScroll(
    event: PointerEvent,
    scroller: HTMLElement,
    frame: DOMRect,
    draw: (event: PointerEvent) => void,
  ): void {
    cancelAnimationFrame(this.#scroll);
    const over = event.clientY - frame.bottom + SCROLL_EDGE;
    const under = event.clientY - frame.top - SCROLL_EDGE;
    const by = over > 0 ? over : Math.min(0, under);
    if (by === 0) return;
    this.#scroll = requestAnimationFrame(() => {
      scroller.scrollTop += by / 2;
      if (this.box) draw(event);
    });
  }
}

/** Indexes of the grid cells that a box touches. */
export function cellsInBox(
  box: SelectionBox,
  grid: { columns: number; count: number; width: number; rowHeight: number; padding: number; gap: number },
): number[] {
  const { columns, count, width, rowHeight, padding, gap } = grid;
  const step = (width - 2 * padding + gap) / columns;
  const rows = cellRange(box.top - padding, box.bottom - padding, rowHeight, gap);
  const across = cellRange(box.left - padding, box.right - padding, step, gap);
  const found: number[] = [];
  for (let row = Math.max(0, rows[0]); row <= rows[1]; row += 1) {
    if (row * columns >= count) break;
    for (let column = Math.max(0, across[0]); column <= Math.min(columns - 1, across[1]); column += 1)
      if (row * columns + column < count) found.push(row * columns + column);
  }
  return found;
}

/** The first and the last cell between two coordinates, without gaps. */
function cellRange(from: number, to: number, step: number, gap: number): [number, number] {
  const first = Math.floor(from / step);
  return [from - first * step > step - gap ? first + 1 : first, Math.floor(to / step)];
}
