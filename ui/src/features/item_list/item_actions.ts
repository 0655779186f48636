import { readItem, readItemOffset } from '../../api/read';
import type { Item } from '../../api/types';
import { batchEdit } from '../batch_edit/batch_edit.svelte';
import { currentList } from '../../state/current_list.svelte';
import { fieldFocus } from '../../state/field_focus.svelte';
import { itemSteps } from '../../state/item_steps.svelte';
import { layout } from '../../state/layout.svelte';
import { navigation } from '../../state/navigation.svelte';
import { passages } from '../../state/passages.svelte';
import { maySelected } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { selection } from '../../state/selection.svelte';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { isPassage } from './list_keys';
import { quickLook } from '../../state/quick_look.svelte';

/** Displays the selection in the inspector, which visitors have not. */
export function showSelection(): void {
  if (!repository.user) return;
  const [only] = selection.ids;
  navigation.select(only !== undefined && selection.count === 1 ? only : null);
}

function openItem(item: Item): void {
  if (item.is_collection) navigation.openScope({ collection: item.nid });
  else navigation.go({ ...navigation.browse, item: item.nid, viewer: repository.user ? 1 : null });
}

/** Opens an item where the words of the search stand: at a page of its file; of a page of a book, the book there. */
export async function openHit(item: Item): Promise<void> {
  const { words } = passages;
  if (!words || item.is_collection) return openItem(item);
  const { browse } = navigation;
  const search = { ...browse.search, q: words.q, isExact: words.isExact };
  const place = item.model?.role === 'page' ? await placeInBook(item.nid) : null;
  const viewer = place?.page ?? passages.pageOf(item.nid) ?? 1;
  navigation.go({ ...browse, search, item: place?.book ?? item.nid, viewer, marks: true });
}

/** The book that a page belongs to, and where it stands in it; null where it is in none that this user sees. */
async function placeInBook(nid: number): Promise<{ book: number; page: number } | null> {
  try {
    const book = (await readItem(nid)).ancestors.at(-1)?.nid;
    if (book === undefined || (await readItem(book)).is_collection) return null;
    const members = { view: 'all', collection: book, sort: 'weight', order: 'asc' } as const;
    const before = await readItemOffset(members, nid);
    return before === null ? null : { book, page: before + 1 };
  } catch {
    return null;
  }
}

/** Opens the viewer with two selected items side by side. */
export function compareSelection(): void {
  selection.withSelected(([item, other]) => {
    if (item === undefined || other === undefined) return;
    navigation.go({ ...navigation.browse, item, viewer: 1, compared: { item: other, page: 1 } });
  });
}

/** Whether a click opens an item: a passage of a file, and each item for visitors, who have nothing to select for. */
export function opensByClick(event: MouseEvent): boolean {
  return isPassage(event) || (!repository.user && !event.ctrlKey && !event.shiftKey && !event.metaKey);
}

/** Opens or closes the preview over the list, which keeps the focus. */
export function toggleQuickLook(item: Item): void {
  navigation.select(item.nid);
  quickLook.open = !quickLook.open;
}

/** Focuses the title in the inspector. */
export function editItem(item: Item): void {
  describe(item.nid, 'title');
}

/** Displays the form of an item and focuses a field in it. */
function describe(nid: number, field: string): void {
  navigation.select(nid);
  navigation.openTab('metadata');
  layout.pane = 'inspector';
  fieldFocus.wanted = { nid, field };
}

/** Whether one item is displayed whose neighbours can be described. */
export function canDescribeNeighbor(): boolean {
  const { screen } = navigation.route;
  const { item, viewer } = navigation.browse;
  const isCovered = dialogs.open !== null && dialogs.open.kind !== 'palette';
  return screen === 'browse' && item !== null && viewer === null && selection.count < 2 && !isCovered;
}

/**
 * Saves what is typed, and continues with the same field of the next or previous item of the list. Answers whether
 * there is one.
 */
export function describeNeighbor(by: 1 | -1): boolean {
  const { item } = navigation.browse;
  const to = item === null ? null : itemSteps.neighbor(item, by);
  if (to === null) {
    toaster.say(by > 0 ? t.items.lastItem : t.items.firstItem);
    return false;
  }
  const focused = document.activeElement?.closest<HTMLElement>('#pane-inspector [data-field]');
  const field = focused?.dataset.field ?? fieldFocus.wanted?.field ?? 'title';
  // A field is saved when it is left.
  if (focused && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  itemSteps.stepTo(to);
  const index = currentList.rows.indexOf(to);
  if (index >= 0) selection.selectOnly(to, index);
  describe(to, field);
  return true;
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

/** Finds and replaces in the selected items, or in all of the list where none is selected. */
export function findAndReplace(): void {
  if (selection.count === 0) selection.selectAll(currentList);
  selection.withSelected((nids) => {
    if (nids.length === 0) return;
    if (!maySelected('update')) return toaster.say(t.batch.notAllowed);
    layout.pane = 'inspector';
    navigation.select(null);
    batchEdit.openReplacement();
    requestAnimationFrame(() => focusFound(20));
  });
}

/** Puts the cursor into the text to find. */
function focusFound(tries: number): void {
  const input = document.querySelector<HTMLElement>('[data-testid="batch-find"] :is(input, textarea)');
  if (input) input.focus();
  else if (tries > 0) setTimeout(() => focusFound(tries - 1), 50);
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
