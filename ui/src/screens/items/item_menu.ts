import { duplicateItems } from '../../arrange/duplicate';
import { address } from '../../api/client';
import type { Item } from '../../api/types';
import { inWindow } from '../../desktop';
import { openOriginalOf } from '../../opened/original';
import type { MenuGroup } from '../../parts/MenuPanel.svelte';
import { toaster } from '../../parts/toast.svelte';
import { itemList } from '../../place/item_list.svelte';
import { navigation } from '../../place/navigation.svelte';
import { mayCreateItem, mayWithChosen } from '../../place/permission';
import { selection } from '../../place/selection.svelte';
import { t } from '../../texts';
import { dialogs } from '../dialogs.svelte';
import { editChosen, editItem, eraseChosen, openItem } from './acts';

/** What can be done with the items that are chosen, `item` among them. */
export function itemMenu(item: Item): MenuGroup[] {
  const { count } = selection;
  const alone = count === 1;
  return [
    { entries: alone ? opening(item) : [] },
    { entries: arranging(item, count) },
    {
      entries: mayWithChosen('delete')
        ? [
            {
              id: 'delete',
              label: alone ? t.inspector.delete : t.inspector.deleteSeveral(count),
              icon: 'trash',
              danger: true,
              keys: 'Del',
              run: eraseChosen,
            },
          ]
        : [],
    },
  ];
}

function opening(item: Item): MenuGroup['entries'] {
  const pages = item.is_collection || item.members === 0;
  const path = `/node/${item.nid}`;
  return [
    { id: 'open', label: t.say.open, icon: 'open', keys: 'Enter', run: () => openItem(item) },
    ...(pages
      ? []
      : [
          {
            id: 'pages',
            label: t.items.showPages(item.members),
            icon: 'book' as const,
            run: () => showPages(item.nid),
          },
        ]),
    ...(inWindow && item.media_count > 0
      ? [
          {
            id: 'program',
            label: t.opened.open,
            icon: 'open' as const,
            keys: 'Ctrl+O',
            run: () => void openOriginalOf(item.nid),
          },
        ]
      : []),
    { id: 'copy', label: t.items.copyAddress, icon: 'link', run: () => void copy(address(path)) },
  ];
}

function arranging(item: Item, count: number): MenuGroup['entries'] {
  const editable = mayWithChosen('update');
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
            run: editChosen,
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
            run: moveChosen,
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
            run: () => selection.act((nids) => void duplicateItems(nids)),
          },
        ]
      : []),
  ];
}

/** The chosen items go somewhere else. */
export function moveChosen(): void {
  selection.act((nids) => (dialogs.open = { kind: 'move', nids, from: placeOfItems() }));
}

/** What is in a book stands in its own order. */
function showPages(collection: number): void {
  itemList.sortBy({ collection }, { sort: 'weight', order: 'asc' });
  navigation.openPlace({ collection });
}

/** The collection that stands in the middle; null for a view. */
export function placeOfItems(): number | null {
  const { place } = navigation.desk;
  return place && 'collection' in place ? place.collection : null;
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {});
  toaster.say(t.say.copied);
}
