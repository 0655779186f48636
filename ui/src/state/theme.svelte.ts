import { LocalSetting } from './local_setting.svelte';

export type Theme = 'system' | 'light' | 'dark';

export const theme = new LocalSetting<Theme>('theme', 'system');

/** Applies the chosen theme; by default that of the system. */
export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  applyTheme();
}
