import type { Snippet } from 'svelte';

/** What the panes tell the status bar. */
class StatusWords {
  items = $state('');
  selected = $state('');
  /** An empty repository has room to name the keys. */
  hint = $state(false);
  tools: Snippet | null = $state.raw(null);
  form: { words: string; bad: boolean } | null = $state.raw(null);
}

export const statusWords = new StatusWords();
