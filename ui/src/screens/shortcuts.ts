import { navigation } from '../place/navigation.svelte';
import { mayCreateItem } from '../place/permission';
import { queue } from '../transfers/queue.svelte';
import { undo } from '../undo/undo.svelte';
import { dialogs } from './dialogs.svelte';

const PANES = ['pane-tree', 'pane-items', 'pane-inspector'];

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
  if (key === 'k') return () => (dialogs.open = { kind: 'palette' });
  if (key === 'f') return focusSearch;
  if (key === 'j') return () => (queue.open = !queue.open);
  if (key === 'n' && mayCreateItem()) return () => create(event.shiftKey);
  return null;
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
  const first = pane?.querySelector<HTMLElement>('[data-pane-focus]') ?? pane;
  first?.focus();
}
