import { exportSelection } from '../export_items/export_commands';
import { rotateItems } from '../adjust_picture/adjust_picture';
import { duplicateItems } from '../organize_items/duplicate';
import { absoluteUrl } from '../../api/client';
import { manifestPath } from '../../api/resources';
import type { Item } from '../../api/types';
import { inWindow } from '../../desktop';
import { descriptionClipboard } from '../description/description_clipboard.svelte';
import { copyDescription, pasteDescription } from '../description/description_commands';
import { pictureEntries } from '../collection_picture/picture_commands';
import { templateEntries } from '../templates/template_commands';
import { printEntries, printSelectionOrList } from '../print/print_items';
import { reviewEntries } from '../review/review_menu';
import { shareEntries } from '../share_links/share_commands';
import { makePages, mayMakePages } from '../pages/make_pages';
import { openOriginalOfItem } from '../open_original/open_original';
import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { toaster } from '../../state/toast.svelte';
import { currentList } from '../../state/current_list.svelte';
import { navigation } from '../../state/navigation.svelte';
import { mayCreateItem, maySelected } from '../../state/permissions';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';
import { dialogs } from '../../state/dialogs.svelte';
import { compareSelection, editSelection, editItem, deleteSelection, openHit } from './item_actions';

/** The context menu of the selection, which contains `item`. */
export function itemMenu(item: Item): MenuGroup[] {
  const { count } = selection;
  const alone = count === 1;
  return [
    { entries: alone ? openEntries(item) : compareEntries(count) },
    { entries: editEntries(item, count) },
    { entries: reviewEntries() },
    { entries: descriptionEntries(count) },
    { entries: alone ? [exportEntry(count), bagEntry(item), ...shareEntries(item)] : [exportEntry(count)] },
    { entries: printEntries(printSelectionOrList) },
    { entries: rotateEntries(item, count) },
    { entries: alone ? pictureEntries(item) : [] },
    {
      entries: maySelected('delete')
        ? [
            {
              id: 'delete',
              label: alone ? t.inspector.delete : t.inspector.deleteSeveral(count),
              icon: 'trash',
              danger: true,
              keys: 'Del',
              run: deleteSelection,
            },
          ]
        : [],
    },
  ];
}

function openEntries(item: Item): MenuGroup['entries'] {
  const pages = item.is_collection || item.members === 0;
  const path = `/node/${item.nid}`;
  return [
    { id: 'open', label: t.say.open, icon: 'open', keys: 'Enter', run: () => openHit(item) },
    ...(pages
      ? []
      : [
          {
            id: 'pages',
            label: t.items.showPages(item.members),
            icon: 'book' as const,
            run: () => navigation.openScope({ collection: item.nid }),
          },
        ]),
    ...(inWindow && item.media_count > 0
      ? [
          {
            id: 'program',
            label: t.opened.open,
            icon: 'open' as const,
            keys: 'Ctrl+O',
            run: () => void openOriginalOfItem(item.nid),
          },
        ]
      : []),
    ...(mayMakePages(item)
      ? [
          {
            id: 'make-pages',
            label: t.pages.make,
            icon: 'book' as const,
            run: () => void makePages(item),
          },
        ]
      : []),
    { id: 'copy', label: t.items.copyAddress, icon: 'link', run: () => void copyText(absoluteUrl(path)) },
    {
      id: 'copy-manifest',
      label: t.items.copyManifest,
      icon: 'link',
      run: () => void copyText(absoluteUrl(manifestPath(item.nid))),
    },
  ];
}

function compareEntries(count: number): MenuGroup['entries'] {
  if (count !== 2) return [];
  return [{ id: 'compare', label: t.viewer.compareTwo, icon: 'compare', run: compareSelection }];
}

function editEntries(item: Item, count: number): MenuGroup['entries'] {
  const editable = maySelected('update');
  return [
    ...(editable && count === 1
      ? [
          {
            id: 'edit',
            label: t.items.describe,
            icon: 'pencil' as const,
            keys: 'F2',
            run: () => editItem(item),
          },
        ]
      : []),
    ...(editable && count > 1
      ? [
          {
            id: 'batch',
            label: t.batch.open(count),
            icon: 'pencil' as const,
            keys: 'Ctrl+E',
            run: editSelection,
          },
        ]
      : []),
    ...(editable
      ? [
          {
            id: 'move',
            label: t.move.menu,
            icon: 'folder' as const,
            keys: 'Ctrl+M',
            run: moveSelection,
          },
        ]
      : []),
    ...(mayCreateItem(item.type)
      ? [
          {
            id: 'duplicate',
            label: t.items.duplicate(count),
            icon: 'copy' as const,
            keys: 'Ctrl+D',
            run: () => selection.withSelected((nids) => void duplicateItems(nids)),
          },
        ]
      : []),
  ];
}

function descriptionEntries(count: number): MenuGroup['entries'] {
  const copy = {
    id: 'copy-description',
    label: t.description.copy,
    icon: 'copy' as const,
    keys: 'Ctrl+Shift+C',
    run: copyDescription,
  };
  const paste = {
    id: 'paste-description',
    label: t.description.paste(count),
    icon: 'replace' as const,
    keys: 'Ctrl+Shift+V',
    run: pasteDescription,
  };
  const editable = maySelected('update');
  const pastes = editable && descriptionClipboard.copied !== null;
  return [
    ...(count === 1 ? [copy] : []),
    ...(pastes ? [paste] : []),
    ...(editable ? templateEntries(count, (run) => selection.withSelected(run)) : []),
  ];
}

function exportEntry(count: number): MenuGroup['entries'][number] {
  return {
    id: 'export',
    label: count === 1 ? t.exporting.open : t.exporting.openMany(count),
    icon: 'table',
    keys: 'Ctrl+Shift+E',
    run: exportSelection,
  };
}

function bagEntry({ nid, title }: Item): MenuGroup['entries'][number] {
  return {
    id: 'bag',
    label: t.bags.open,
    icon: 'download',
    run: () => (dialogs.open = { kind: 'save-bag', nid, title }),
  };
}

/** Of several items, those without a picture are left as they are. */
function rotateEntries(item: Item, count: number): MenuGroup['entries'] {
  const mayHavePicture = count > 1 || item.mime?.startsWith('image/');
  if (!mayHavePicture || !maySelected('update')) return [];
  return [
    { id: 'rotate-right', label: t.adjust.right, icon: 'rotateRight', run: () => rotateSelection(1) },
    { id: 'rotate-left', label: t.adjust.left, icon: 'rotateLeft', run: () => rotateSelection(-1) },
  ];
}

/** Rotates the pictures of the selection. */
export function rotateSelection(by: 1 | -1): void {
  selection.withSelected((nids) => void rotateItems(nids, by));
}

/** Opens the dialog that moves the selection. */
export function moveSelection(): void {
  selection.withSelected((nids) => (dialogs.open = { kind: 'move', nids, from: currentCollection() }));
}

/** The collection that the displayed items are members of; null for a view, and where they may be further below. */
export function currentCollection(): number | null {
  const { scope } = navigation.browse;
  return !currentList.query?.below && scope && 'collection' in scope ? scope.collection : null;
}

async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {});
  toaster.say(t.say.copied);
}
