import { tick, untrack } from 'svelte';
import { readItemOffset } from '../../api/read';
import type { PagedList } from '../../state/paged_list.svelte';
import { navigation } from '../../state/navigation.svelte';
import { currentList } from '../../state/current_list.svelte';
import { layout } from '../../state/layout.svelte';
import { selection } from '../../state/selection.svelte';

/**
 * Scrolls once to the item that the address names, and to an item that was moved, loaded or not. Call this
 * while a list component is initialised; `listed` is null until the list has a size.
 */
export function scrollToItem(listed: () => PagedList | null, scrollTo: (index: number) => void): void {
  /** The item and visit that was scrolled to. */
  let scrolledFor = '';
  /** The list and length in which the server did not find the item. */
  let missing = '';

  $effect(() => {
    const { item } = navigation.browse;
    const wanted = `${item} ${navigation.visits}`;
    if (item === null) scrolledFor = '';
    const list = listed();
    if (!list || item === null) return;
    // All are read before this may return: the effect has to run again when one changes during a search.
    const { rows, query, fetching } = list;
    if (wanted === scrolledFor) return;
    const index = rows.indexOf(item);
    if (index >= 0) {
      scrolledFor = wanted;
      return void tick().then(() => scrollTo(index));
    }
    const request = JSON.stringify([item, query, rows.total]);
    if (fetching || rows.isComplete || request === missing) return;
    scrolledFor = wanted;
    void find(list, item).then((outcome) => {
      if (outcome === 'scrolled' || scrolledFor !== wanted) return;
      scrolledFor = '';
      if (outcome === 'missing') missing = request;
    });
  });

  $effect(() => {
    const [list, nid] = [listed(), currentList.movedItem];
    if (nid === null || !list) return;
    currentList.movedItem = null;
    untrack(() => void find(list, nid));
  });

  /**
   * Asks the server for the offset of an item and scrolls there. Answers `outdated` when the list has no query any
   * more: it has none while the address of an item is resolved, and the effect runs again with the next one.
   */
  async function find(list: PagedList, nid: number): Promise<'scrolled' | 'missing' | 'outdated'> {
    for (let query = list.query; query; query = list.query) {
      const at = await readItemOffset(query, nid).catch(() => null);
      if (JSON.stringify(list.query) !== JSON.stringify(query)) continue;
      if (at === null) return 'missing';
      scrollTo(at);
      return 'scrolled';
    }
    return 'outdated';
  }
}

/** Scrolls to the selected item when something covers the lower part of the list. */
export function keepUncovered(scrollTo: (index: number) => void): void {
  $effect(() => {
    if (layout.coveredHeight === 0) return;
    untrack(() => selection.count > 0 && scrollTo(selection.cursor));
  });
}

interface ScrolledRows {
  list: PagedList;
  scroller: HTMLElement | undefined;
  columns: number;
  rowHeight: number;
}

/** Scrolls along with the item at the cursor when items arrive or leave above it. */
export function keepStill(options: () => ScrolledRows): void {
  let before: Pick<PagedList, 'rows' | 'query'> | null = null;
  $effect(() => {
    const { list, scroller, columns, rowHeight } = options();
    const now = { rows: list.rows, query: list.query };
    untrack(() => {
      const nid = selection.cursorItem;
      const top = (rows: PagedList['rows']) => Math.floor(rows.indexOf(nid ?? 0) / columns) * rowHeight;
      const [from, to] = [before ? top(before.rows) : -1, top(now.rows)];
      const isSameList = before?.query === now.query;
      before = now;
      if (!scroller || !isSameList || nid === null || from < 0 || to < 0 || from === to) return;
      const isVisible =
        from > scroller.scrollTop - rowHeight && from < scroller.scrollTop + scroller.clientHeight;
      // The list has its new height after the next update.
      if (isVisible) void tick().then(() => (scroller.scrollTop += to - from));
    });
  });
}
