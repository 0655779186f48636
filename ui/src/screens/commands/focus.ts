/** Where the keyboard goes. */

const PANES = ['pane-tree', 'pane-items', 'pane-inspector'];
/** Where the keyboard begins in a pane; in the tree, at the place that is open. */
const FIRST_IN_PANE = ['[data-pane-focus]', '[role="treeitem"][aria-selected="true"]', '[role="treeitem"]'];

export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[type="search"]')?.focus();
}

/** Moves the keyboard to the pane after this one. */
export function nextPane(by: number): void {
  const panes = PANES.map((id) => document.getElementById(id)).filter((pane) => pane !== null);
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const pane = panes[(at + by + panes.length) % panes.length];
  const found = FIRST_IN_PANE.map((selector) => pane?.querySelector<HTMLElement>(selector));
  const first = found.find((element) => element) ?? pane;
  first?.focus();
}
