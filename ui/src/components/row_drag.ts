/** Pixels that the pointer moves before a drag starts. */
const THRESHOLD = 5;
/** Distance in pixels from an edge at which the list scrolls. */
const SCROLL_EDGE = 40;

/** What happens while a row is dragged. */
interface RowDragHandlers {
  /** Whether a drag has started. */
  isDragging: () => boolean;
  /** The pointer is at a place of the window. The first call starts the drag. */
  onmove: (x: number, y: number) => void;
  /** The drag has ended, or was given up; also where none had started. */
  onend: (drops: boolean) => void;
}

/** Follows the pointer from a press until it is released, by pointer events, since the window handles native drags. */
export function followDrag(press: PointerEvent, { isDragging, onmove, onend }: RowDragHandlers): void {
  const end = new AbortController();
  const { signal } = end;
  const finish = (drops: boolean) => {
    end.abort();
    onend(drops);
  };
  const moved = (event: PointerEvent) => {
    const far = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) >= THRESHOLD;
    if (!isDragging() && !far) return;
    event.preventDefault();
    onmove(event.clientX, event.clientY);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging()) return;
    event.stopPropagation();
    finish(false);
  };
  addEventListener('pointermove', moved, { signal });
  addEventListener('pointerup', () => finish(true), { signal });
  addEventListener('pointercancel', () => finish(false), { signal });
  addEventListener('blur', () => finish(false), { signal });
  addEventListener('keydown', key, { signal, capture: true });
}

/** Scrolls the list of a row while the pointer is near its edge. */
export function scrollAtEdge(row: HTMLElement, y: number): void {
  const list = row.closest<HTMLElement>('.scroll');
  if (!list) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + SCROLL_EDGE) list.scrollTop -= SCROLL_EDGE / 4;
  else if (y > bottom - SCROLL_EDGE) list.scrollTop += SCROLL_EDGE / 4;
}
