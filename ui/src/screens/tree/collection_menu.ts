import { createItem, idOf } from '../../api/resources';
import type { Collection } from '../../api/types';
import { MODEL } from '../../media_types/kind';
import { modelTerm } from '../../media_types/registry';
import type { MenuGroup } from '../../parts/MenuPanel.svelte';
import { toaster } from '../../parts/toast.svelte';
import { tree, type TreeRow } from '../../place/collection_tree.svelte';
import { refreshShown } from '../../place/live';
import { navigation } from '../../place/navigation.svelte';
import { mayCreateItem } from '../../place/permission';
import { repository } from '../../place/repository.svelte';
import { t } from '../../texts';
import { makeOne } from '../../undo/made';
import { dialogs } from '../dialogs.svelte';

/** What can be done with a collection in the tree. */
export function collectionMenu(row: Extract<TreeRow, { kind: 'collection' }>): MenuGroup[] {
  const { nid, may } = row.collection;
  const from = row.parent === 'root' ? null : row.parent;
  return [
    {
      entries: [
        {
          id: 'open',
          label: t.say.open,
          icon: 'open',
          keys: 'Enter',
          run: () => navigation.openPlace({ collection: nid }),
        },
        ...(mayCreateItem()
          ? [
              {
                id: 'new',
                label: t.places.newInside,
                icon: 'plus' as const,
                run: () => void createInside(row.collection),
              },
            ]
          : []),
      ],
    },
    {
      entries: may.update
        ? [
            {
              id: 'rename',
              label: t.places.rename,
              icon: 'pencil',
              keys: 'F2',
              run: () => (tree.renaming = row.key),
            },
            {
              id: 'move',
              label: t.move.menu,
              icon: 'folder',
              keys: 'Ctrl+M',
              run: () => (dialogs.open = { kind: 'move', nids: [nid], from }),
            },
          ]
        : [],
    },
    {
      entries: may.delete
        ? [
            {
              id: 'delete',
              label: t.places.deleteCollection,
              icon: 'trash',
              danger: true,
              keys: 'Del',
              run: () => (dialogs.open = { kind: 'erase-items', nids: [nid] }),
            },
          ]
        : [],
    },
  ];
}

/** Makes a collection and lets its name be typed in its place, as a file manager does. */
async function createInside(parent: Collection): Promise<void> {
  const model = modelTerm(repository.model, MODEL.collection)?.tid ?? 0;
  try {
    const made = await makeOne('node', () => createItem(t.create.untitled, model, parent.nid));
    refreshShown();
    await tree.show(parent.nid, idOf('node', made));
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
