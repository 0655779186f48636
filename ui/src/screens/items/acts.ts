import type { Item } from '../../api/types';
import { layout } from '../../place/layout.svelte';
import { navigation } from '../../place/navigation.svelte';
import { selection } from '../../place/selection.svelte';
import { dialogs } from '../dialogs.svelte';

/** The inspector shows what is chosen: one item, or how many. */
export function showChosen(): void {
  const [only, ...others] = selection.chosen;
  navigation.select(only !== undefined && others.length === 0 ? only : null);
}

export function openItem(item: Item): void {
  if (item.is_collection) navigation.openPlace({ collection: item.nid });
  else editItem(item);
}

/** Goes to the title in the inspector. */
export function editItem(item: Item): void {
  navigation.select(item.nid);
  navigation.openTab('metadata');
  layout.pane = 'inspector';
  requestAnimationFrame(() => focusTitle(20));
}

/** The form may still be loading: a few frames are waited for it. */
function focusTitle(tries: number): void {
  const title = document.querySelector<HTMLElement>('#pane-inspector [data-testid="field-title"]');
  if (title) title.focus();
  else if (tries > 0) setTimeout(() => focusTitle(tries - 1), 50);
}

export function eraseChosen(): void {
  if (selection.chosen.size > 0) dialogs.open = { kind: 'erase-items', nids: [...selection.chosen] };
}
