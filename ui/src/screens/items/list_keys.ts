import type { Item } from '../../api/types';
import { selection } from '../../place/selection.svelte';

/** How a list of items answers the keyboard. */
export interface ListActs {
  items: Item[];
  /** Cards in a row; 1 in a table. */
  columns: number;
  /** Rows that fit the pane. */
  page: number;
  moved: (index: number) => void;
  open: (item: Item) => void;
  edit: (item: Item) => void;
  erase: () => void;
}

/** Moves, chooses and opens by keys; true when the key was one of these. */
export function listKeys(event: KeyboardEvent, acts: ListActs): boolean {
  const { items, columns } = acts;
  const at = selection.cursor;
  const command = event.ctrlKey || event.metaKey;
  const steps: Record<string, number> = {
    ArrowLeft: columns > 1 ? -1 : 0,
    ArrowRight: columns > 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -columns * acts.page,
    PageDown: columns * acts.page,
    Home: -at,
    End: items.length - 1 - at,
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
  { items, moved, page, columns }: ListActs,
  to: number,
  command: boolean,
): void {
  const beyond = to >= items.length || to < 0;
  // One row past the end stays put; a page past the end goes to the end.
  if (beyond && Math.abs(to - selection.cursor) < page * columns) return;
  const index = Math.max(0, Math.min(items.length - 1, to));
  const item = items[index];
  if (!item) return;
  if (event.shiftKey)
    selection.extend(
      items.map(({ nid }) => nid),
      index,
    );
  else if (command) selection.cursor = index;
  else selection.only(item.nid, index);
  moved(index);
}

function choose(event: KeyboardEvent, acts: ListActs, at: number, command: boolean): boolean {
  const item = acts.items[at];
  if (command && event.key.toLowerCase() === 'a') {
    selection.all(acts.items.map(({ nid }) => nid));
    return true;
  }
  if (!item) return false;
  if (event.key === ' ') {
    if (command) selection.toggle(item.nid, at);
    else selection.only(item.nid, at);
    acts.moved(at);
    return true;
  }
  const run = { Enter: () => acts.open(item), F2: () => acts.edit(item), Delete: acts.erase }[event.key];
  run?.();
  return run !== undefined;
}

/** What a click on an item chooses. */
export function press(event: MouseEvent, items: Item[], index: number): void {
  const item = items[index];
  if (!item) return;
  if (event.shiftKey)
    selection.extend(
      items.map(({ nid }) => nid),
      index,
    );
  else if (event.ctrlKey || event.metaKey) selection.toggle(item.nid, index);
  else selection.only(item.nid, index);
}
