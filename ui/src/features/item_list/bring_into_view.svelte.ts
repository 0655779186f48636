import { tick, untrack } from 'svelte';
import { readItemOffset } from '../../api/read';
import type { PagedList } from '../../state/paged_list.svelte';
import { navigation } from '../../state/navigation.svelte';
import { currentList } from '../../state/current_list.svelte';

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
