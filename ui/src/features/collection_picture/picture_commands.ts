import type { MenuGroup } from '../../components/MenuPanel.svelte';
import type { Collection, Item } from '../../api/types';
import { collectionTree } from '../../state/collection_tree.svelte';
import { navigation } from '../../state/navigation.svelte';
import { mayCreateMedia, mayDeleteMedia } from '../../state/permissions';
import { t } from '../../texts';
import type { Command } from '../commands/command_type';
import { removePicture, useAsPicture } from './collection_picture';

/** The displayed collection, if the user may change it. */
function openCollection(): Collection | null {
  const { screen } = navigation.route;
  const { scope, viewer } = navigation.browse;
  if (screen !== 'browse' || viewer !== null || !scope || !('collection' in scope)) return null;
  const found = collectionTree.find(scope.collection);
  return found?.may.update ? found : null;
}

/** The collection whose picture an item can be; null: none. */
function collectionFor(item: Item | null): Collection | null {
  return item?.picture && mayCreateMedia() ? openCollection() : null;
}

/** Commands for the picture of the displayed collection; `item` is the only one that is selected. */
export function pictureCommands(item: Item | null): Command[] {
  const [target, open] = [collectionFor(item), openCollection()];
  return [
    {
      id: 'collection-picture',
      label: t.collectionPicture.use,
      icon: 'image',
      enabled: target !== null,
      run: () => item && target && void useAsPicture(item, target),
    },
    {
      id: 'automatic-picture',
      label: t.collectionPicture.remove,
      icon: 'image',
      enabled: open !== null && mayDeleteMedia(),
      run: () => open && void removePicture(open),
    },
  ];
}

/** Entries of the context menu of an item. */
export function pictureEntries(item: Item): MenuGroup['entries'] {
  const target = collectionFor(item);
  const hasFiles = item.is_collection && item.media_count > 0 && item.may.update && mayDeleteMedia();
  return [
    ...(target
      ? [
          {
            id: 'collection-picture',
            label: t.collectionPicture.use,
            icon: 'image' as const,
            run: () => void useAsPicture(item, target),
          },
        ]
      : []),
    ...(hasFiles
      ? [
          {
            id: 'automatic-picture',
            label: t.collectionPicture.remove,
            icon: 'image' as const,
            run: () => void removePicture(item),
          },
        ]
      : []),
  ];
}
