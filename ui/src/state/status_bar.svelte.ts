import type { Snippet } from 'svelte';

/** What panes display in the status bar. */
class StatusBarState {
  items = $state('');
  selected = $state('');
  /** Size of the selected items. */
  size = $state('');
  /** Whether a hint about the shortcuts is displayed, as in an empty repository. */
  hint = $state(false);
  tools: Snippet | null = $state.raw(null);
  form: { words: string; bad: boolean } | null = $state.raw(null);

  /** Clears what a list displays: to be called when the pane of the list is left. */
  clearList(): void {
    this.items = this.selected = this.size = '';
    this.hint = false;
    this.tools = null;
  }
}

export const statusBar = new StatusBarState();
