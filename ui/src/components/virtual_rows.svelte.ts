import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import { untrack } from 'svelte';

interface VirtualRowsOptions {
  count: number;
  /** Height of a row in pixels. */
  size: number;
  scroller: HTMLElement | undefined;
  overscan?: number;
  /** Pixels below a row that is scrolled to. */
  margin?: number;
}

/** The rows of a long list to render. Create it while a component is initialised. */
export class VirtualRows {
  items: VirtualItem[] = $state.raw([]);
  /** Height of the whole list in pixels. */
  height = $state(0);
  #virtualizer: Virtualizer<HTMLElement, Element> | null = null;

  constructor(options: () => VirtualRowsOptions) {
    $effect(() => {
      const now = options();
      untrack(() => this.update(now));
    });
    // Depends on the scroller only: a list that grows keeps its observer.
    const scroller = $derived(options().scroller);
    $effect(() => {
      if (!scroller) return;
      return untrack(() => this.#virtualizer?._didMount());
    });
  }

  private update({ count, size, scroller, overscan = 4, margin = 0 }: VirtualRowsOptions): void {
    const settings = {
      count,
      overscan,
      scrollPaddingEnd: margin,
      estimateSize: () => size,
      getScrollElement: () => scroller ?? null,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.show(),
    };
    this.#virtualizer ??= new Virtualizer(settings);
    this.#virtualizer.setOptions(settings);
    this.#virtualizer._willUpdate();
    this.#virtualizer.measure();
    this.show();
  }

  private show(): void {
    this.items = this.#virtualizer?.getVirtualItems() ?? [];
    this.height = this.#virtualizer?.getTotalSize() ?? 0;
  }

  scrollTo(index: number): void {
    this.#virtualizer?.scrollToIndex(index, { align: 'auto' });
  }
}

/** Pixels of one rem, which depends on the user's font size. */
export function remInPixels(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
