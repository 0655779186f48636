import { Remembered } from './remember.svelte';

export type Theme = 'system' | 'light' | 'dark';

export const theme = new Remembered<Theme>('theme', 'system');

/** Puts the chosen appearance on the page; the system decides when nothing was chosen. */
export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  applyTheme();
}
