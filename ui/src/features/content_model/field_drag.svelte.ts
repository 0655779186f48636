import { suppressNextClick } from '../organize_items/item_drag.svelte';

/** Pixels that the pointer moves before a drag starts. */
const THRESHOLD = 5;
/** Distance in pixels from an edge at which the list scrolls. */
const SCROLL_EDGE = 40;

/** Drags rows of fields by pointer events, since the window handles native drags. */
export class FieldDrag {
  dragged: string | null = $state(null);
  /** The row under the pointer, and on which side of it the field would go. */
  over: { name: string; after: boolean } | null = $state.raw(null);

  constructor(readonly ondrop: (name: string, beside: string, after: boolean) => void) {}

  start(press: PointerEvent, name: string): void {
    if (press.button !== 0) return;
    const end = new AbortController();
    const { signal } = end;
    const finish = (drops: boolean) => {
      end.abort();
      this.finish(drops);
    };
    const moved = (event: PointerEvent) => {
      if (this.dragged === null && Math.abs(event.clientY - press.clientY) < THRESHOLD) return;
      event.preventDefault();
      this.dragged = name;
      this.update(event.clientX, event.clientY);
    };
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', () => finish(true), { signal });
    addEventListener('pointercancel', () => finish(false), { signal });
    addEventListener('blur', () => finish(false), { signal });
    addEventListener('keydown', (event) => event.key === 'Escape' && finish(false), {
      signal,
      capture: true,
    });
  }

  private update(x: number, y: number): void {
    const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-field-row]');
    const name = row?.dataset.fieldRow;
    if (!row || !name || name === this.dragged) {
      this.over = null;
      return;
    }
    const { top, height } = row.getBoundingClientRect();
    this.over = { name, after: y > top + height / 2 };
    this.scroll(row, y);
  }

  private scroll(row: HTMLElement, y: number): void {
    const list = row.closest<HTMLElement>('.scroll');
    if (!list) return;
    const { top, bottom } = list.getBoundingClientRect();
    if (y < top + SCROLL_EDGE) list.scrollTop -= SCROLL_EDGE / 4;
    else if (y > bottom - SCROLL_EDGE) list.scrollTop += SCROLL_EDGE / 4;
  }

  private finish(drops: boolean): void {
    const { dragged, over } = this;
    [this.dragged, this.over] = [null, null];
    if (dragged === null) return;
    suppressNextClick();
    if (drops && over) this.ondrop(dragged, over.name, over.after);
  }
}
