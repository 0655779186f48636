import { followDrag, scrollAtEdge } from '../../components/row_drag';
import { suppressNextClick } from '../organize_items/item_drag.svelte';

/** Drags rows of fields by pointer events, since the window handles native drags. */
export class FieldDrag {
  dragged: string | null = $state(null);
  /** The row under the pointer, and on which side of it the field would go. */
  over: { name: string; after: boolean } | null = $state.raw(null);

  constructor(readonly ondrop: (name: string, beside: string, after: boolean) => void) {}

  start(press: PointerEvent, name: string): void {
    if (press.button !== 0) return;
    followDrag(press, {
      isDragging: () => this.dragged !== null,
      onmove: (x, y) => {
        this.dragged = name;
        this.update(x, y);
      },
      onend: (drops) => this.finish(drops),
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
    scrollAtEdge(row, y);
  }

  private finish(drops: boolean): void {
    const { dragged, over } = this;
    [this.dragged, this.over] = [null, null];
    if (dragged === null) return;
    suppressNextClick();
    if (drops && over) this.ondrop(dragged, over.name, over.after);
  }
}
