import { SvelteSet } from 'svelte/reactivity';
import type { InfiniteData, QueryClient } from '@tanstack/svelte-query';
import { termTreeQuery } from '../../api/queries';
import type { TermInTree, TermTreePage } from '../../api/terms';
import { moveTerm } from './move_term';
import type { TermPlace } from './term_order';
import { TermDrag, type DraggedTerm, type TermTarget } from './term_drag.svelte';

/** The terms of a vocabulary as a tree: which branches are open, and how terms are moved. */
export class TermTree {
  readonly open = new SvelteSet<number>();
  readonly drag = new TermDrag((dragged, target) => void this.drop(dragged, target));
  /** The term that was moved last, and where it will stand. */
  #moved: { tid: number; parent: number } | null = null;
  /** The element that has all rows. */
  element: HTMLElement | undefined = $state();

  constructor(
    readonly vocabulary: string,
    readonly mayMove: boolean,
    private readonly client: QueryClient,
  ) {}

  toggle(tid: number, isOpen = !this.open.has(tid)): void {
    if (isOpen) this.open.add(tid);
    else this.open.delete(tid);
  }

  /** Moves the focus with arrow keys, opens and closes branches, and moves terms with Alt. */
  key(event: KeyboardEvent, term: TermInTree, parent: number): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.key.startsWith('Arrow')) return;
    if (event.altKey && !this.mayMove) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.altKey) void this.nudge(event.key, { term, parent });
    else if (event.key === 'ArrowUp') this.focusBeside(term.tid, parent, -1);
    else if (event.key === 'ArrowDown') this.focusBeside(term.tid, parent, 1);
    else if (event.key === 'ArrowRight') this.toggle(term.tid, term.has_below);
    else if (this.open.has(term.tid)) this.toggle(term.tid, false);
    else if (parent !== 0) this.focus(this.row(parent));
  }

  private async nudge(key: string, dragged: DraggedTerm): Promise<void> {
    const { term, parent } = dragged;
    const all = this.loaded(parent);
    const at = all.findIndex(({ tid }) => tid === term.tid);
    const before = all[at - 1];
    if (key === 'ArrowUp' && before) await this.move(dragged, this.placeAt(parent, term, at - 1));
    if (key === 'ArrowDown' && at + 1 < all.length)
      await this.move(dragged, this.placeAt(parent, term, at + 1));
    if (key === 'ArrowRight' && before) await this.nest(dragged, before.tid);
    if (key === 'ArrowLeft' && parent !== 0) {
      const above = this.parentOf(parent);
      const index = this.loaded(above).findIndex(({ tid }) => tid === parent);
      await this.move(dragged, this.placeAt(above, term, index + 1));
    }
  }

  private async drop(dragged: DraggedTerm, { tid, parent, side }: TermTarget): Promise<void> {
    if (side === 'onto') return this.nest(dragged, tid);
    const others = this.loaded(parent).filter((one) => one.tid !== dragged.term.tid);
    const index = others.findIndex((one) => one.tid === tid);
    await this.move(dragged, this.placeAt(parent, dragged.term, side === 'after' ? index + 1 : index));
  }

  /** Puts a term below another one, behind those that are there. */
  private async nest(dragged: DraggedTerm, parent: number): Promise<void> {
    this.open.add(parent);
    await this.client.prefetchInfiniteQuery(termTreeQuery(this.vocabulary, parent));
    const end = this.loaded(parent).filter(({ tid }) => tid !== dragged.term.tid).length;
    await this.move(dragged, this.placeAt(parent, dragged.term, end));
  }

  private placeAt(parent: number, { tid }: TermInTree, index: number): TermPlace {
    return { parent, siblings: this.loaded(parent).filter((one) => one.tid !== tid), index };
  }

  private async move({ term, parent }: DraggedTerm, place: TermPlace): Promise<void> {
    this.#moved = { tid: term.tid, parent: place.parent };
    await moveTerm(term, parent, place);
  }

  /** Called when a branch shows other terms: the focus follows a moved term, unless somebody has gone elsewhere. */
  followMoved(): void {
    if (!this.#moved) return;
    const { activeElement: focused } = document;
    const isElsewhere = focused && focused !== document.body && !this.element?.contains(focused);
    const { tid, parent } = this.#moved;
    if (!isElsewhere) this.focus(this.row(tid, parent));
  }

  /** Called when somebody presses a key or a button. */
  forgetMoved(): void {
    this.#moved = null;
  }

  /** The terms of a branch, as far as they are loaded. */
  private loaded(parent: number): TermInTree[] {
    const { queryKey } = termTreeQuery(this.vocabulary, parent);
    const data = this.client.getQueryData<InfiniteData<TermTreePage>>(queryKey);
    return data?.pages.flatMap(({ terms }) => terms) ?? [];
  }

  private parentOf(tid: number): number {
    return Number(this.row(tid)?.dataset.parent ?? 0);
  }

  /** The row of a term. One below two is in the tree twice. */
  private row(tid: number, parent?: number): HTMLElement | null | undefined {
    const below = parent === undefined ? '' : `[data-parent="${parent}"]`;
    return this.element?.querySelector<HTMLElement>(`[data-term="${tid}"]${below}`);
  }

  private focus(row: HTMLElement | null | undefined): void {
    const link = row?.querySelector<HTMLElement>('a');
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  }

  private focusBeside(tid: number, parent: number, by: 1 | -1): void {
    const rows = [...(this.element?.querySelectorAll<HTMLElement>('[data-term]') ?? [])];
    const row = this.row(tid, parent);
    if (row) this.focus(rows[rows.indexOf(row) + by]);
  }
}
