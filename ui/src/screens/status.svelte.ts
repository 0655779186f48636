import type { Snippet } from 'svelte';

/** What the panes tell the status bar. */
class StatusWords {
  items = $state('');
  selected = $state('');
  tools: Snippet | null = $state.raw(null);
  form: { words: string; bad: boolean } | null = $state.raw(null);
}

export const statusWords = new StatusWords();
