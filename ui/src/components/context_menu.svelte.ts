import type { MenuGroup } from './MenuPanel.svelte';

/** A context menu at the pointer, or at the focused element. */
interface OpenMenu {
  label: string;
  groups: MenuGroup[];
  x: number;
  y: number;
}

class ContextMenuState {
  open: OpenMenu | null = $state.raw(null);

  /** Opens a menu for a `contextmenu` event; `subject` is the element that it is about. */
  show(event: MouseEvent, label: string, groups: MenuGroup[], subject?: Element | null): void {
    if (groups.every(({ entries }) => entries.length === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    const box = (subject ?? (event.target as Element)).getBoundingClientRect();
    // The menu key has no position: browsers report a corner of the focused element.
    const byPointer = event.button === 2 || event.ctrlKey;
    const at = byPointer ? { x: event.clientX, y: event.clientY } : { x: box.left + 16, y: box.top + 24 };
    this.open = { label, groups, ...at };
  }
}

export const contextMenu = new ContextMenuState();
