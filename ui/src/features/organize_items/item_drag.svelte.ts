import { fileDrop, type DropTarget, dropMark } from '../transfers/file_drop.svelte';

/** Items that are being dragged. */
export interface DraggedItems {
  nids: number[];
  /** Title of a single item. */
  title: string;
  /** The collection that they are dragged out of; null in a view. */
  from: number | null;
}

/** Where the items would be dropped. */
export type DropPosition =
  | { kind: 'into'; nid: number | null; name: string }
  /** Beside another item of the same list. */
  | { kind: 'beside'; nid: number; after: boolean };

/** Handlers of drag events. */
interface DragHandlers {
  ondrop: (dragged: DraggedItems, position: DropPosition, copies: boolean) => void;
  /** Called when the pointer rests on a collection, which is then expanded. */
  onhover: (nid: number) => void;
}

/** Pixels that the pointer moves before a drag starts. */
const THRESHOLD = 5;
const HOVER_DELAY = 700;
/** Distance in pixels from an edge at which the list scrolls. */
const SCROLL_EDGE = 32;

/** Drag and drop of items by pointer events, since the window handles native drags of files. */
class ItemDrag {
  dragged: DraggedItems | null = $state.raw(null);
  position: DropPosition | null = $state.raw(null);
  x = $state(0);
  y = $state(0);
  /** Ctrl is pressed: the items stay in their collection as well. */
  copies = $state(false);
  handlers: DragHandlers = { ondrop: () => {}, onhover: () => {} };
  #markedElement: HTMLElement | null = null;
  #hovered: { nid: number; timer: ReturnType<typeof setTimeout> } | null = null;
  #scroll = 0;

  /** Starts a drag once the pointer moves; `what` is called then. */
  start(press: PointerEvent, what: () => DraggedItems | null): void {
    if (press.button !== 0 || press.pointerType === 'touch') return;
    const end = new AbortController();
    const { signal } = end;
    const at = { x: press.clientX, y: press.clientY };
    const moved = (event: PointerEvent) => {
      const far = Math.hypot(event.clientX - at.x, event.clientY - at.y) >= THRESHOLD;
      if (!this.dragged && far) this.dragged = what();
      if (!this.dragged) return far ? end.abort() : undefined;
      event.preventDefault();
      this.update(event.clientX, event.clientY, event.ctrlKey || event.metaKey);
    };
    const finish = (drops: boolean) => {
      end.abort();
      this.finish(drops);
    };
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', () => finish(true), { signal });
    addEventListener('pointercancel', () => finish(false), { signal });
    addEventListener('blur', () => finish(false), { signal });
    addEventListener('keydown', (event) => this.key(event, finish), { signal, capture: true });
    addEventListener('keyup', (event) => this.key(event, finish), { signal, capture: true });
  }

  private key(event: KeyboardEvent, finish: (drops: boolean) => void): void {
    if (!this.dragged) return;
    if (event.key === 'Control' || event.key === 'Meta') {
      this.copies = event.type === 'keydown';
    } else if (event.key === 'Escape' && event.type === 'keydown') {
      event.preventDefault();
      event.stopPropagation();
      finish(false);
    }
  }

  private update(x: number, y: number, copies: boolean): void {
    [this.x, this.y, this.copies] = [x, y, copies];
    const under = document.elementFromPoint(x, y);
    this.position = this.dragged && under ? dropPositionAt(under, x, y, this.dragged) : null;
    this.updateMarks(under);
    this.updateHover();
    this.autoScroll(under, y);
  }

  /** Marks the drop target as for files, or the gap between two items. */
  private updateMarks(under: Element | null): void {
    const { position } = this;
    const into: DropTarget | null =
      position?.kind === 'into' ? { kind: 'collection', nid: position.nid } : null;
    if ((into && dropMark(into)) !== (fileDrop.over && dropMark(fileDrop.over))) fileDrop.over = into;
    const slot = position?.kind === 'beside' ? (under?.closest<HTMLElement>('[data-nid]') ?? null) : null;
    if (this.#markedElement !== slot) delete this.#markedElement?.dataset.slot;
    if (slot && position?.kind === 'beside') slot.dataset.slot = position.after ? 'after' : 'before';
    this.#markedElement = slot;
  }

  private updateHover(): void {
    const nid = this.position?.kind === 'into' ? this.position.nid : null;
    if (nid === (this.#hovered?.nid ?? null)) return;
    clearTimeout(this.#hovered?.timer);
    this.#hovered =
      nid === null ? null : { nid, timer: setTimeout(() => this.handlers.onhover(nid), HOVER_DELAY) };
  }

  private autoScroll(under: Element | null, y: number): void {
    cancelAnimationFrame(this.#scroll);
    const list = under?.closest<HTMLElement>('.scroll, [role="grid"]');
    if (!list) return;
    const { top, bottom } = list.getBoundingClientRect();
    const by =
      y < top + SCROLL_EDGE ? y - top - SCROLL_EDGE : y > bottom - SCROLL_EDGE ? y - bottom + SCROLL_EDGE : 0;
    if (by === 0) return;
    const step = () => {
      list.scrollTop += by / 3;
      if (this.dragged) this.#scroll = requestAnimationFrame(step);
    };
    this.#scroll = requestAnimationFrame(step);
  }

  private finish(drops: boolean): void {
    const { dragged, position, copies } = this;
    cancelAnimationFrame(this.#scroll);
    clearTimeout(this.#hovered?.timer);
    this.#hovered = null;
    delete this.#markedElement?.dataset.slot;
    this.#markedElement = null;
    [this.dragged, this.position] = [null, null];
    if (!dragged) return;
    fileDrop.over = null;
    suppressNextClick();
    if (drops && position) this.handlers.ondrop(dragged, position, copies);
  }
}

/** Suppresses the click event after a drop. */
export function suppressNextClick(): void {
  const swallow = (event: MouseEvent) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}

function dropPositionAt(under: Element, x: number, y: number, dragged: DraggedItems): DropPosition | null {
  const item = under.closest<HTMLElement>('[data-nid]');
  const nid = Number(item?.dataset.nid);
  const list = under.closest<HTMLElement>('[data-order]');
  const mark = under.closest<HTMLElement>('[data-drop]');
  const target = mark?.dataset.drop?.match(/^collection:(\d*)$/);
  if (item && list) {
    const part = fractionAcross(item, list.dataset.order === 'across' ? x : null, y);
    const ontoCollection = target && mark === item && part > 0.3 && part < 0.7;
    if (!ontoCollection && list.dataset.order !== 'none')
      return dragged.nids.includes(nid) ? null : { kind: 'beside', nid, after: part >= 0.5 };
  }
  // Items already are in the list that they are dragged from.
  if (!mark || !target || mark.id === 'pane-items') return null;
  const into = target[1] ? Number(target[1]) : null;
  if (into !== null && dragged.nids.includes(into)) return null;
  return { kind: 'into', nid: into, name: mark.dataset.name ?? mark.ariaLabel ?? '' };
}

/** Position of the pointer within an element, from 0 to 1. */
function fractionAcross(element: HTMLElement, x: number | null, y: number): number {
  const box = element.getBoundingClientRect();
  return x === null ? (y - box.top) / box.height : (x - box.left) / box.width;
}

export const itemDrag = new ItemDrag();
