import { tick, untrack } from 'svelte';
import { readPosition } from '../../api/read';
import type { LongList } from '../../place/long_list.svelte';
import { navigation } from '../../place/navigation.svelte';
import { shownList } from '../../place/shown_list.svelte';

/**
 * Brings the item that the address names into view, once, and one that somebody has just put elsewhere; wherever in the
 * list it stands, read or not. To be called while a list is set up; `listed` is null as long as the list has no size.
 */
export function bringIntoView(listed: () => LongList | null, scrollTo: (index: number) => void): void {
  /** For whom that was done: the item, and the going to its address. */
  let brought = '';
  /** Of which list, and how long it was, the server has said that the item is not in it. */
  let missing = '';

  $effect(() => {
    const { item } = navigation.desk;
    const wanted = `${item} ${navigation.arrivals}`;
    if (item === null) brought = '';
    const list = listed();
    if (!list || item === null || wanted === brought) return;
    const { rows, query } = list;
    const index = rows.indexOf(item);
    if (index >= 0) {
      brought = wanted;
      return void tick().then(() => scrollTo(index));
    }
    const asked = JSON.stringify([item, query, rows.total]);
    if (list.fetching || rows.whole || asked === missing) return;
    brought = wanted;
    void find(list, item).then((found) => {
      if (found || brought !== wanted) return;
      [brought, missing] = ['', asked];
    });
  });

  $effect(() => {
    const [list, nid] = [listed(), shownList.moved];
    if (nid === null || !list) return;
    shownList.moved = null;
    untrack(() => void find(list, nid));
  });

  /** Scrolls to an item that the server has to find; whether it did. */
  async function find(list: LongList, nid: number): Promise<boolean> {
    const { query } = list;
    if (!query) return false;
    const at = await readPosition(query, nid).catch(() => null);
    const isSame = JSON.stringify(list.query) === JSON.stringify(query);
    if (at === null || !isSame) return false;
    scrollTo(at);
    return true;
  }
}
