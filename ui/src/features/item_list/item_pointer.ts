import type { Item } from '../../api/types';
import { contextMenu } from '../../components/context_menu.svelte';
import { itemDrag } from '../organize_items/item_drag.svelte';
import { maySelected } from '../../state/permissions';
import type { ListScope } from '../../state/route';
import type { ItemRows } from '../../state/item_rows';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';
import { showSelection } from './item_actions';
import { listMenu } from './list_menu';
import { itemMenu, currentCollection } from './item_menu';

/** Starts a drag of the item under the pointer, with the whole selection if it is selected. */
export function startItemDrag(press: PointerEvent, rows: ItemRows): void {
  const nid = nidAt(press);
  const index = nid === null ? -1 : rows.indexOf(nid);
  const item = rows.at(index);
  if (!item || press.shiftKey || selection.range) return;
  itemDrag.start(press, () => {
    if (!item.may.update) return null;
    selectForAction(item, index);
    if (!maySelected('update')) return null;
    return { nids: [...selection.ids], title: item.title, from: currentCollection() };
  });
}

/** Opens the context menu of an item, or that of the list. */
export function openListMenu(event: MouseEvent, rows: ItemRows, scope: ListScope): void {
  const nid = nidAt(event);
  if (nid === null && (event.button === 2 || rows.total === 0))
    return contextMenu.show(event, t.items.label, listMenu(scope));
  const index = nid === null ? selection.cursor : rows.indexOf(nid);
  const item = rows.at(index);
  if (!item) return;
  selectForAction(item, index);
  const subject = document.querySelector(`#pane-items [data-nid="${item.nid}"]`);
  const label = selection.count === 1 ? item.title : t.count.selected(selection.count);
  contextMenu.show(event, label, itemMenu(item), subject);
}

/** An action applies to the selection, so the item is selected. */
function selectForAction(item: Item, index: number): void {
  if (selection.has(item.nid, index)) return;
  selection.selectOnly(item.nid, index);
  showSelection();
}

function nidAt(event: Event): number | null {
  const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-nid]') : null;
  return mark ? Number(mark.dataset.nid) : null;
}
