import type { Item } from '../../api/types';
import { contextMenu } from '../../parts/context_menu.svelte';
import { carry } from '../../place/carry.svelte';
import { mayWithChosen } from '../../place/permission';
import type { Place } from '../../place/route';
import type { Rows } from '../../place/rows';
import { selection } from '../../place/selection.svelte';
import { t } from '../../texts';
import { showChosen } from './acts';
import { groundMenu } from './ground_menu';
import { itemMenu, placeOfItems } from './item_menu';

/** Lets the item under a press be carried; with all that are chosen when it is one of them. */
export function carryFrom(press: PointerEvent, rows: Rows): void {
  const nid = nidUnder(press);
  const index = nid === null ? -1 : rows.indexOf(nid);
  const item = rows.at(index);
  if (!item || press.shiftKey || selection.range) return;
  carry.arm(press, () => {
    if (!item.may.update) return null;
    choose(item, index);
    if (!mayWithChosen('update')) return null;
    return { nids: [...selection.chosen], title: item.title, from: placeOfItems() };
  });
}

/** The menu of the item under the pointer, or where the keyboard stands; on the empty ground that of the list. */
export function openMenu(event: MouseEvent, rows: Rows, place: Place): void {
  const nid = nidUnder(event);
  if (nid === null && (event.button === 2 || rows.total === 0))
    return contextMenu.show(event, t.items.label, groundMenu(place));
  const index = nid === null ? selection.cursor : rows.indexOf(nid);
  const item = rows.at(index);
  if (!item) return;
  choose(item, index);
  const subject = document.querySelector(`#pane-items [data-nid="${item.nid}"]`);
  const label = selection.count === 1 ? item.title : t.count.selected(selection.count);
  contextMenu.show(event, label, itemMenu(item), subject);
}

/** What is acted on is what is chosen. */
function choose(item: Item, index: number): void {
  if (selection.has(item.nid, index)) return;
  selection.only(item.nid, index);
  showChosen();
}

function nidUnder(event: Event): number | null {
  const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-nid]') : null;
  return mark ? Number(mark.dataset.nid) : null;
}
