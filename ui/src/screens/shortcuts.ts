import { itemList } from '../place/item_list.svelte';
import { navigation } from '../place/navigation.svelte';
import { mayCreateItem, mayEditItem } from '../place/permission';
import { duplicateItems } from '../arrange/duplicate';
import { inWindow } from '../desktop';
import { changedCopiesHere } from '../opened/changed_copies.svelte';
import { openOriginalOf } from '../opened/original';
import { selection } from '../place/selection.svelte';
import { queue } from '../transfers/queue.svelte';
import { undo } from '../undo/undo.svelte';
import { dialogs } from './dialogs.svelte';
import { editChosen } from './items/acts';
import { moveChosen as moveChosenItems } from './items/item_menu';

const PANES = ['pane-tree', 'pane-items', 'pane-inspector'];
/** Where the keyboard begins in a pane; in the tree, at the place that is open. */
const FIRST_IN_PANE = ['[data-pane-focus]', '[role="treeitem"][aria-selected="true"]', '[role="treeitem"]'];

/** Keys that work everywhere. Keys of a pane are handled by the pane. */
export function shortcuts(event: KeyboardEvent): void {
  const act = actFor(event);
  if (!act) return;
  event.preventDefault();
  act();
}

function actFor(event: KeyboardEvent): (() => void) | null {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (event.key === 'F6') return () => nextPane(event.shiftKey ? -1 : 1);
  if (event.key === '?' && !isTyping(event)) return () => (dialogs.open = { kind: 'keys' });
  if (event.altKey && !isTyping(event) && event.key === 'ArrowLeft') return () => navigation.back();
  if (event.altKey && !isTyping(event) && event.key === 'ArrowRight') return () => navigation.forward();
  if (!command) return null;
  if ((key === 'z' || key === 'y') && !isWriting(event)) {
    const back = key === 'z' && !event.shiftKey;
    return () => void (back ? undo.undo() : undo.redo());
  }
  if (key === 'm' && mayEditItem('islandora_object', null)) return moveChosen();
  if (key === 'd' && !isTyping(event) && mayCreateItem()) return duplicateChosen();
  if (inWindow && key === 'enter') return takeChanged();
  if (inWindow && key === 'o') return openChosen();
  if (key === 'k') return () => (dialogs.open = { kind: 'palette' });
  if (key === 'f') return focusSearch;
  if (key === 'j') return () => (queue.open = !queue.open);
  if (navigation.route.screen === 'desk') {
    if (key === 'e') return editChosen;
    if (key === '1') return () => (itemList.view.value = 'grid');
    if (key === '2') return () => (itemList.view.value = 'table');
  }
  if (key === 'n' && mayCreateItem()) return () => create(event.shiftKey);
  return null;
}

/** What was saved in its own program replaces the original. */
function takeChanged(): (() => void) | null {
  const [copy] = changedCopiesHere.asked;
  return copy ? () => changedCopiesHere.replace(copy) : null;
}

/** The original of the chosen item, in its own program. */
function openChosen(): (() => void) | null {
  const [nid, ...others] = selection.chosen;
  const alone = nid !== undefined && others.length === 0 && navigation.route.screen === 'desk';
  return alone ? () => void openOriginalOf(nid) : null;
}

/** What the keyboard stands on in the tree, else the chosen items, go somewhere else. */
function moveChosen(): (() => void) | null {
  const row = document.activeElement?.closest<HTMLElement>('[role="treeitem"][data-nid]');
  const parent = Number(row?.dataset.parent) || null;
  if (navigation.route.screen !== 'desk') return null;
  if (row) {
    const nids = [Number(row.dataset.nid)];
    return () => (dialogs.open = { kind: 'move', nids, from: parent });
  }
  return selection.count > 0 ? moveChosenItems : null;
}

function duplicateChosen(): (() => void) | null {
  if (selection.count === 0 || navigation.route.screen !== 'desk') return null;
  return () => selection.act((nids) => void duplicateItems(nids));
}

function create(collection: boolean): void {
  const { place } = navigation.desk;
  const parent = place && 'collection' in place ? place.collection : null;
  dialogs.open = { kind: collection ? 'collection' : 'item', parent };
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[type="search"]')?.focus();
}

export function isTyping(event: Event): boolean {
  const { target } = event;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Where something was typed that its field has not been left with. */
let written: EventTarget | null = null;

/** Hears of every key that wrote something. */
export function typed(event: Event): void {
  written = event.target;
  event.target?.addEventListener('blur', () => (written = null), { once: true });
}

/** In words that are being written, undo and redo are the field's own. */
function isWriting(event: Event): boolean {
  return isTyping(event) && event.target === written;
}

/** Moves the keyboard to the pane after this one. */
function nextPane(by: number): void {
  const panes = PANES.map((id) => document.getElementById(id)).filter((pane) => pane !== null);
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const pane = panes[(at + by + panes.length) % panes.length];
  const found = FIRST_IN_PANE.map((selector) => pane?.querySelector<HTMLElement>(selector));
  const first = found.find((element) => element) ?? pane;
  first?.focus();
}
