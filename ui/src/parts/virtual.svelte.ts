import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import { untrack } from 'svelte';

interface Options {
  count: number;
  /** Height of a row in pixels. */
  size: number;
  scroller: HTMLElement | undefined;
  overscan?: number;
  /** Pixels that stay free below a row that is scrolled to. */
  margin?: number;
}

/** Which rows of a long list are to be drawn. To be made while a component is set up. */
export class VirtualRows {
  items: VirtualItem[] = $state.raw([]);
  /** Height of the whole list in pixels. */
  height = $state(0);
  #virtualizer: Virtualizer<HTMLElement, Element> | null = null;

  constructor(options: () => Options) {
    $effect(() => {
      const now = options();
      untrack(() => this.update(now));
    });
    // Ends with the scroller alone: a list that grows goes on being watched.
    const scroller = $derived(options().scroller);
    $effect(() => {
      if (!scroller) return;
      return untrack(() => this.#virtualizer?._didMount());
    });
  }

  private update({ count, size, scroller, overscan = 4, margin = 0 }: Options): void {
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

/** Pixels of one rem: grows with the reader's text size. */
export function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
