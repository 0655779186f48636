/** Moves the keyboard focus. */

const PANES = ['pane-tree', 'pane-items', 'pane-inspector'];
/** Initial focus in a pane; in the tree, the selected row. */
const PANE_FOCUS_TARGETS = [
  '[data-pane-focus]',
  '[role="treeitem"][aria-selected="true"]',
  '[role="treeitem"]',
];

export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[type="search"]')?.focus();
}

/** Focuses the next or previous pane. */
export function focusPane(by: number): void {
  const panes = PANES.map((id) => document.getElementById(id)).filter((pane) => pane !== null);
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const pane = panes[(at + by + panes.length) % panes.length];
  const found = PANE_FOCUS_TARGETS.map((selector) => pane?.querySelector<HTMLElement>(selector));
  const first = found.find((element) => element) ?? pane;
  first?.focus();
}
