import type { Item } from '../../api/types';
import { batchEdit } from '../batch_edit/batch_edit.svelte';
import { layout } from '../../state/layout.svelte';
import { navigation } from '../../state/navigation.svelte';
import { maySelected } from '../../state/permissions';
import { selection } from '../../state/selection.svelte';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { quickLook } from '../../state/quick_look.svelte';

/** Displays the selection in the inspector. */
export function showSelection(): void {
  const [only] = selection.ids;
  navigation.select(only !== undefined && selection.count === 1 ? only : null);
}

export function openItem(item: Item): void {
  if (item.is_collection) navigation.openScope({ collection: item.nid });
  else navigation.go({ ...navigation.browse, item: item.nid, viewer: 1 });
}

/** Opens or closes the preview over the list, which keeps the focus. */
export function toggleQuickLook(item: Item): void {
  navigation.select(item.nid);
  quickLook.open = !quickLook.open;
}

/** Focuses the title in the inspector. */
export function editItem(item: Item): void {
  navigation.select(item.nid);
  navigation.openTab('metadata');
  layout.pane = 'inspector';
  requestAnimationFrame(() => focusTitle(20));
}

/** The form may still be loading. */
function focusTitle(tries: number): void {
  const title = document.querySelector<HTMLElement>('#pane-inspector [data-testid="field-title"]');
  if (title) title.focus();
  else if (tries > 0) setTimeout(() => focusTitle(tries - 1), 50);
}

/** Opens the batch edit, or the form of a single item. */
export function editSelection(): void {
  selection.withSelected(([only, ...others]) => {
    if (only === undefined) return;
    if (others.length > 0 && !maySelected('update')) return toaster.say(t.batch.notAllowed);
    layout.pane = 'inspector';
    if (others.length === 0) return navigation.select(only);
    navigation.select(null);
    batchEdit.open = true;
    requestAnimationFrame(() => focusBatchField(20));
  });
}

function focusBatchField(tries: number): void {
  const picker = document.querySelector<HTMLElement>('[data-testid="batch-field"]');
  if (picker) picker.focus();
  else if (tries > 0) setTimeout(() => focusBatchField(tries - 1), 50);
}

export function deleteSelection(): void {
  selection.withSelected((nids) => {
    if (nids.length === 0) return;
    if (maySelected('delete')) dialogs.open = { kind: 'erase-items', nids };
    else toaster.say(t.erase.notAllowed);
  });
}
