import type { Item } from '../../api/types';
import { batch } from '../../batch/batch.svelte';
import { layout } from '../../place/layout.svelte';
import { navigation } from '../../place/navigation.svelte';
import { mayWithChosen } from '../../place/permission';
import { selection } from '../../place/selection.svelte';
import { toaster } from '../../parts/toast.svelte';
import { t } from '../../texts';
import { dialogs } from '../dialogs.svelte';
import { quickLook } from '../viewer/quick_look.svelte';

/** The inspector shows what is chosen: one item, or how many. */
export function showChosen(): void {
  const [only] = selection.chosen;
  navigation.select(only !== undefined && selection.count === 1 ? only : null);
}

export function openItem(item: Item): void {
  if (item.is_collection) navigation.openPlace({ collection: item.nid });
  else navigation.go({ ...navigation.desk, item: item.nid, viewer: 1 });
}

/** A large picture of the item over the list, which keeps the keyboard. */
export function lookAtItem(item: Item): void {
  navigation.select(item.nid);
  quickLook.open = !quickLook.open;
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

/** Changes a field of all chosen items; a single one is described in its form. */
export function editChosen(): void {
  selection.act(([only, ...others]) => {
    if (only === undefined) return;
    if (others.length > 0 && !mayWithChosen('update')) return toaster.say(t.batch.notAllowed);
    layout.pane = 'inspector';
    if (others.length === 0) return navigation.select(only);
    navigation.select(null);
    batch.open = true;
    requestAnimationFrame(() => focusField(20));
  });
}

function focusField(tries: number): void {
  const picker = document.querySelector<HTMLElement>('[data-testid="batch-field"]');
  if (picker) picker.focus();
  else if (tries > 0) setTimeout(() => focusField(tries - 1), 50);
}

export function eraseChosen(): void {
  selection.act((nids) => {
    if (nids.length === 0) return;
    if (mayWithChosen('delete')) dialogs.open = { kind: 'erase-items', nids };
    else toaster.say(t.erase.notAllowed);
  });
}
