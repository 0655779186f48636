import type { MenuGroup } from './MenuPanel.svelte';

/** A menu where the pointer is, or at the thing that the keyboard stands on. */
interface OpenContextMenu {
  label: string;
  groups: MenuGroup[];
  x: number;
  y: number;
}

class ContextMenuState {
  open: OpenContextMenu | null = $state.raw(null);

  /** Shows a menu for a `contextmenu` event; `subject` is what it is about when the event is the keyboard's. */
  show(event: MouseEvent, label: string, groups: MenuGroup[], subject?: Element | null): void {
    if (groups.every(({ entries }) => entries.length === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    const box = (subject ?? (event.target as Element)).getBoundingClientRect();
    // The menu key has no place of its own; browsers answer a corner of what has the focus.
    const byPointer = event.button === 2 || event.ctrlKey;
    const at = byPointer ? { x: event.clientX, y: event.clientY } : { x: box.left + 16, y: box.top + 24 };
    this.open = { label, groups, ...at };
  }
}

export const contextMenu = new ContextMenuState();
