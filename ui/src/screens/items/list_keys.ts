import type { Item } from '../../api/types';
import { nudgeChosen } from '../../arrange/reorder';
import type { LongList } from '../../place/long_list.svelte';
import { selection } from '../../place/selection.svelte';

/** How a list of items answers the keyboard. */
export interface ListActs {
  list: LongList;
  /** Cards in a row; 1 in a table. */
  columns: number;
  /** Rows that fit the pane. */
  page: number;
  moved: (index: number) => void;
  open: (item: Item) => void;
  edit: (item: Item) => void;
  look: (item: Item) => void;
  erase: () => void;
}

/** Moves, chooses and opens by keys; true when the key was one of these. */
export function listKeys(event: KeyboardEvent, acts: ListActs): boolean {
  const { list, columns } = acts;
  const at = selection.cursor;
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    void nudgeChosen(event.key === 'ArrowUp' ? -1 : 1);
    return true;
  }
  const steps: Record<string, number> = {
    ArrowLeft: columns > 1 ? -1 : 0,
    ArrowRight: columns > 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -columns * acts.page,
    PageDown: columns * acts.page,
    Home: -at,
    End: list.rows.total - 1 - at,
  };
  const step = steps[event.key];
  if (step !== undefined && !event.altKey) {
    move(event, acts, at + step, command);
    return true;
  }
  return choose(event, acts, at, command);
}

function move(
  event: KeyboardEvent,
  { list, moved, page, columns }: ListActs,
  to: number,
  command: boolean,
): void {
  const { total } = list.rows;
  const beyond = to >= total || to < 0;
  // One row past the end stays put; a page past the end goes to the end.
  if (total === 0 || (beyond && Math.abs(to - selection.cursor) < page * columns)) return;
  const index = Math.max(0, Math.min(total - 1, to));
  const item = list.rows.at(index);
  if (event.shiftKey) selection.extend(list, index);
  else if (command) selection.stand(index, item?.nid ?? null);
  else if (item) selection.only(item.nid, index);
  else selection.onlyAt(index);
  moved(index);
}

function choose(event: KeyboardEvent, acts: ListActs, at: number, command: boolean): boolean {
  if (command && event.key.toLowerCase() === 'a') {
    selection.all(acts.list);
    return true;
  }
  if (event.key === 'Escape' && selection.range) {
    selection.stop();
    return true;
  }
  const item = acts.list.rows.at(at);
  if (!item) return false;
  if (event.key === ' ') {
    if (command) selection.toggle(item.nid, at);
    else if (event.shiftKey || selection.count > 1) selection.only(item.nid, at);
    else {
      selection.only(item.nid, at);
      acts.look(item);
    }
    acts.moved(at);
    return true;
  }
  const run = { Enter: () => acts.open(item), F2: () => acts.edit(item), Delete: acts.erase }[event.key];
  run?.();
  return run !== undefined;
}

/** What a click on an item chooses. */
export function press(event: MouseEvent, list: LongList, item: Item, index: number): void {
  if (event.shiftKey) selection.extend(list, index);
  else if (event.ctrlKey || event.metaKey) selection.toggle(item.nid, index);
  else selection.only(item.nid, index);
}
