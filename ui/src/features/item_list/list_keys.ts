import type { Item } from '../../api/types';
import { nudgeSelection } from '../organize_items/reorder';
import type { PagedList } from '../../state/paged_list.svelte';
import { selection } from '../../state/selection.svelte';

/** What keys do in the item list. */
export interface ListActions {
  list: PagedList;
  /** Cards in a row; 1 in a table. */
  columns: number;
  /** Visible rows. */
  page: number;
  onmove: (index: number) => void;
  open: (item: Item) => void;
  edit: (item: Item) => void;
  quickLook: (item: Item) => void;
  remove: () => void;
}

/** Handles a key. Answers whether it is used. */
export function handleListKey(event: KeyboardEvent, actions: ListActions): boolean {
  const { list, columns } = actions;
  const at = selection.cursor;
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    void nudgeSelection(event.key === 'ArrowUp' ? -1 : 1);
    return true;
  }
  const steps: Record<string, number> = {
    ArrowLeft: columns > 1 ? -1 : 0,
    ArrowRight: columns > 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -columns * actions.page,
    PageDown: columns * actions.page,
    Home: -at,
    End: list.rows.total - 1 - at,
  };
  const step = steps[event.key];
  if (step !== undefined && !event.altKey) {
    moveCursor(event, actions, at + step, command);
    return true;
  }
  return runListKey(event, actions, at, command);
}

function moveCursor(
  event: KeyboardEvent,
  { list, onmove, page, columns }: ListActions,
  to: number,
  command: boolean,
): void {
  const { total } = list.rows;
  const beyond = to >= total || to < 0;
  // A step of one row past the end does nothing, a page goes to the end.
  if (total === 0 || (beyond && Math.abs(to - selection.cursor) < page * columns)) return;
  const index = Math.max(0, Math.min(total - 1, to));
  const item = list.rows.at(index);
  if (event.shiftKey) selection.extend(list, index);
  else if (command) selection.setCursor(index, item?.nid ?? null);
  else if (item) selection.selectOnly(item.nid, index);
  else selection.selectOnlyAt(index);
  onmove(index);
}

function runListKey(event: KeyboardEvent, actions: ListActions, at: number, command: boolean): boolean {
  if (command && event.key.toLowerCase() === 'a') {
    selection.selectAll(actions.list);
    return true;
  }
  if (event.key === 'Escape' && selection.range) {
    selection.cancelRange();
    return true;
  }
  const item = actions.list.rows.at(at);
  if (!item) return false;
  if (event.key === ' ') {
    if (command) selection.toggle(item.nid, at);
    else if (event.shiftKey || selection.count > 1) selection.selectOnly(item.nid, at);
    else {
      selection.selectOnly(item.nid, at);
      actions.quickLook(item);
    }
    actions.onmove(at);
    return true;
  }
  const run = { Enter: () => actions.open(item), F2: () => actions.edit(item), Delete: actions.remove }[
    event.key
  ];
  run?.();
  return run !== undefined;
}

/** Whether a passage of a file is pressed, which opens it. With a modifier, its item is selected as elsewhere. */
export function isPassage(event: MouseEvent): boolean {
  if (event.shiftKey || event.ctrlKey || event.metaKey) return false;
  return event.target instanceof Element && event.target.closest('[data-passage]') !== null;
}

/** Selects by a click with modifiers. */
export function selectByClick(event: MouseEvent, list: PagedList, item: Item, index: number): void {
  if (event.shiftKey) selection.extend(list, index);
  else if (event.ctrlKey || event.metaKey) selection.toggle(item.nid, index);
  else selection.selectOnly(item.nid, index);
}
