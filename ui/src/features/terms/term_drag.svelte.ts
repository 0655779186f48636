import { followDrag, scrollAtEdge } from '../../components/row_drag';
import { suppressNextClick } from '../organize_items/item_drag.svelte';
import type { TermInTree } from '../../api/terms';

/** The part of a row, at its top and at its bottom, that means a place beside it. */
const EDGE = 0.3;

/** A term that is dragged out of a branch. */
export interface DraggedTerm {
  term: TermInTree;
  parent: number;
}

/** Where a term would go: onto another one, or beside it in its branch. */
export interface TermTarget {
  tid: number;
  parent: number;
  side: 'before' | 'onto' | 'after';
}

/** Drags terms by pointer events, since the window handles native drags. */
export class TermDrag {
  dragged: DraggedTerm | null = $state.raw(null);
  over: TermTarget | null = $state.raw(null);
  x = $state(0);
  y = $state(0);

  constructor(readonly ondrop: (dragged: DraggedTerm, target: TermTarget) => void) {}

  start(press: PointerEvent, dragged: DraggedTerm): void {
    if (press.button !== 0 || press.pointerType === 'touch') return;
    if (press.target instanceof Element && press.target.closest('input, button')) return;
    followDrag(press, {
      isDragging: () => this.dragged !== null,
      onmove: (x, y) => {
        this.dragged = dragged;
        this.update(x, y);
      },
      onend: (drops) => this.finish(drops),
    });
  }

  private update(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-term]');
    const isBelowItself = row?.closest(`[data-branch="${this.dragged?.term.tid}"]`);
    if (!row || isBelowItself) {
      this.over = null;
      return;
    }
    const { top, height } = row.getBoundingClientRect();
    const part = (y - top) / height;
    const side = part < EDGE ? 'before' : part > 1 - EDGE ? 'after' : 'onto';
    this.over = { tid: Number(row.dataset.term), parent: Number(row.dataset.parent), side };
    scrollAtEdge(row, y);
  }

  private finish(drops: boolean): void {
    const { dragged, over } = this;
    [this.dragged, this.over] = [null, null];
    if (!dragged) return;
    suppressNextClick();
    if (drops && over) this.ondrop(dragged, over);
  }
}
