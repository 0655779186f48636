import { drops, type DropTarget, dropMark } from './drop.svelte';

/** Items on their way with the pointer. */
export interface Carried {
  nids: number[];
  /** Of one alone, for the words beside the pointer. */
  title: string;
  /** The collection they are taken from; null where they were found in a view. */
  from: number | null;
}

/** Where items would be put down. */
export type Landing =
  | { kind: 'into'; nid: number | null; name: string }
  /** Beside another item of the same list. */
  | { kind: 'beside'; nid: number; after: boolean };

/** What an element does with items that are carried over it. */
interface Hooks {
  onland: (carried: Carried, landing: Landing, stays: boolean) => void;
  /** A closed collection is looked into when something is held over it. */
  onlinger: (nid: number) => void;
}

/** Pixels before a press becomes a carrying. */
const THRESHOLD = 5;
const LINGER = 700;
/** Pixels from an edge in which the list moves on by itself. */
const EDGE = 32;

/** Carries items with the mouse or a pen: pointer events, since the window takes the system's own drags. */
class Carry {
  now: Carried | null = $state.raw(null);
  landing: Landing | null = $state.raw(null);
  x = $state(0);
  y = $state(0);
  /** Ctrl: they stay where they are as well. */
  stays = $state(false);
  hooks: Hooks = { onland: () => {}, onlinger: () => {} };
  #slot: HTMLElement | null = null;
  #lingering: { nid: number; timer: ReturnType<typeof setTimeout> } | null = null;
  #scroll = 0;

  /** A press that becomes a carrying once the pointer moves; `what` is asked then. */
  arm(press: PointerEvent, what: () => Carried | null): void {
    if (press.button !== 0 || press.pointerType === 'touch') return;
    const end = new AbortController();
    const { signal } = end;
    const at = { x: press.clientX, y: press.clientY };
    const moved = (event: PointerEvent) => {
      const far = Math.hypot(event.clientX - at.x, event.clientY - at.y) >= THRESHOLD;
      if (!this.now && far) this.now = what();
      if (!this.now) return far ? end.abort() : undefined;
      event.preventDefault();
      this.over(event.clientX, event.clientY, event.ctrlKey || event.metaKey);
    };
    const finish = (lands: boolean) => {
      end.abort();
      this.finish(lands);
    };
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', () => finish(true), { signal });
    addEventListener('pointercancel', () => finish(false), { signal });
    addEventListener('blur', () => finish(false), { signal });
    addEventListener('keydown', (event) => this.key(event, finish), { signal, capture: true });
    addEventListener('keyup', (event) => this.key(event, finish), { signal, capture: true });
  }

  private key(event: KeyboardEvent, finish: (lands: boolean) => void): void {
    if (!this.now) return;
    if (event.key === 'Control' || event.key === 'Meta') {
      this.stays = event.type === 'keydown';
    } else if (event.key === 'Escape' && event.type === 'keydown') {
      event.preventDefault();
      event.stopPropagation();
      finish(false);
    }
  }

  private over(x: number, y: number, stays: boolean): void {
    [this.x, this.y, this.stays] = [x, y, stays];
    const under = document.elementFromPoint(x, y);
    this.landing = this.now && under ? landingAt(under, x, y, this.now) : null;
    this.mark(under);
    this.linger();
    this.nearEdge(under, y);
  }

  /** The same marks as for files that are dragged; a line where something goes between two. */
  private mark(under: Element | null): void {
    const { landing } = this;
    const into: DropTarget | null =
      landing?.kind === 'into' ? { kind: 'collection', nid: landing.nid } : null;
    if ((into && dropMark(into)) !== (drops.over && dropMark(drops.over))) drops.over = into;
    const slot = landing?.kind === 'beside' ? (under?.closest<HTMLElement>('[data-nid]') ?? null) : null;
    if (this.#slot !== slot) delete this.#slot?.dataset.slot;
    if (slot && landing?.kind === 'beside') slot.dataset.slot = landing.after ? 'after' : 'before';
    this.#slot = slot;
  }

  private linger(): void {
    const nid = this.landing?.kind === 'into' ? this.landing.nid : null;
    if (nid === (this.#lingering?.nid ?? null)) return;
    clearTimeout(this.#lingering?.timer);
    this.#lingering =
      nid === null ? null : { nid, timer: setTimeout(() => this.hooks.onlinger(nid), LINGER) };
  }

  private nearEdge(under: Element | null, y: number): void {
    cancelAnimationFrame(this.#scroll);
    const list = under?.closest<HTMLElement>('.scroll, [role="grid"]');
    if (!list) return;
    const { top, bottom } = list.getBoundingClientRect();
    const by = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0;
    if (by === 0) return;
    const step = () => {
      list.scrollTop += by / 3;
      if (this.now) this.#scroll = requestAnimationFrame(step);
    };
    this.#scroll = requestAnimationFrame(step);
  }

  private finish(lands: boolean): void {
    const { now, landing, stays } = this;
    cancelAnimationFrame(this.#scroll);
    clearTimeout(this.#lingering?.timer);
    this.#lingering = null;
    delete this.#slot?.dataset.slot;
    this.#slot = null;
    [this.now, this.landing] = [null, null];
    if (!now) return;
    drops.over = null;
    swallowClick();
    if (lands && landing) this.hooks.onland(now, landing, stays);
  }
}

/** The click that follows the letting go means nothing. */
export function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}

function landingAt(under: Element, x: number, y: number, carried: Carried): Landing | null {
  const item = under.closest<HTMLElement>('[data-nid]');
  const nid = Number(item?.dataset.nid);
  const list = under.closest<HTMLElement>('[data-order]');
  const mark = under.closest<HTMLElement>('[data-drop]');
  const target = mark?.dataset.drop?.match(/^collection:(\d*)$/);
  if (item && list) {
    const part = partOf(item, list.dataset.order === 'across' ? x : null, y);
    const ontoCollection = target && mark === item && part > 0.3 && part < 0.7;
    if (!ontoCollection && list.dataset.order !== 'none')
      return carried.nids.includes(nid) ? null : { kind: 'beside', nid, after: part >= 0.5 };
  }
  // The ground of the list is where they are already.
  if (!mark || !target || mark.id === 'pane-items') return null;
  const into = target[1] ? Number(target[1]) : null;
  if (into !== null && carried.nids.includes(into)) return null;
  return { kind: 'into', nid: into, name: mark.dataset.name ?? mark.ariaLabel ?? '' };
}

/** How far the pointer is across an element, from 0 to 1. */
function partOf(element: HTMLElement, x: number | null, y: number): number {
  const box = element.getBoundingClientRect();
  return x === null ? (y - box.top) / box.height : (x - box.left) / box.width;
}

export const carry = new Carry();
