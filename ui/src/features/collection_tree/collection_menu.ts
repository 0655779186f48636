import { shareEntries } from '../share_links/share_commands';
import { idOf } from '../../api/resources';
import { createItem } from '../../state/create_item';
import type { Collection } from '../../api/types';
import { modelTerm } from '../../media_display/file_kinds';
import type { MenuEntry, MenuGroup } from '../../components/MenuPanel.svelte';
import { toaster } from '../../state/toast.svelte';
import { collectionTree, type TreeRow } from '../../state/collection_tree.svelte';
import { refreshLists } from '../../state/live_updates';
import { navigation } from '../../state/navigation.svelte';
import { isPublicByDefault } from '../../state/default_visibility';
import { printEntries, saveAsPdf } from '../print/print_items';
import { saveFromServer } from '../../state/save_from_server';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import { collectionItems } from '../../state/export_source';
import { exportItems } from '../export_items/export_commands';
import { createUndoable } from '../../state/undoable_create';
import { dialogs } from '../../state/dialogs.svelte';

type CollectionRow = Extract<TreeRow, { kind: 'collection' }>;

/** The context menu of a collection in the tree. */
export function collectionMenu(row: CollectionRow): MenuGroup[] {
  const { may } = row.collection;
  return [
    { entries: openEntries(row) },
    { entries: may.update ? editEntries(row) : [] },
    { entries: shareEntries(row.collection) },
    { entries: may.delete ? [deleteEntry(row)] : [] },
  ];
}

function openEntries({ collection }: CollectionRow): MenuEntry[] {
  const open: MenuEntry = {
    id: 'open',
    label: t.say.open,
    icon: 'open',
    keys: 'Enter',
    run: () => navigation.openScope({ collection: collection.nid }),
  };
  const create: MenuEntry = {
    id: 'new',
    label: t.places.newInside,
    icon: 'plus',
    run: () => void createSubcollection(collection),
  };
  const write: MenuEntry = {
    id: 'export',
    label: t.exporting.open,
    icon: 'table',
    run: () => exportItems(collectionItems(collection.nid, collection.title)),
  };
  const bag: MenuEntry = {
    id: 'bag',
    label: t.bags.open,
    icon: 'download',
    run: () => (dialogs.open = { kind: 'save-bag', nid: collection.nid, title: collection.title }),
  };
  const findingAids = (['ead3', 'html'] as const).map((format): MenuEntry => ({
    id: `finding-aid-${format}`,
    label: t.findingAid.save[format],
    icon: 'document',
    run: () => void saveFindingAid(collection.nid, format),
  }));
  const prints = printEntries(
    (layout) => void saveAsPdf(layout, collectionItems(collection.nid, collection.title)),
  );
  const report: MenuEntry = {
    id: 'report',
    label: t.report.open,
    icon: 'chart',
    run: () => navigation.go({ screen: 'report', collection: collection.nid }),
  };
  const activity: MenuEntry = {
    id: 'activity',
    label: t.activity.title,
    icon: 'activity',
    run: () => navigation.go({ screen: 'activity', collection: collection.nid }),
  };
  const reports = repository.user ? [report, activity] : [];
  return [
    open,
    ...(collection.may.add_item ? [create] : []),
    write,
    bag,
    ...findingAids,
    ...prints,
    ...reports,
  ];
}

function editEntries({ collection: { nid, title }, parent, key }: CollectionRow): MenuEntry[] {
  const from = parent === 'root' ? null : parent;
  return [
    {
      id: 'rename',
      label: t.places.rename,
      icon: 'pencil',
      keys: 'F2',
      run: () => (collectionTree.renaming = key),
    },
    {
      id: 'move',
      label: t.move.menu,
      icon: 'folder',
      keys: 'Ctrl+M',
      run: () => (dialogs.open = { kind: 'move', nids: [nid], from }),
    },
    {
      id: 'defaults',
      label: t.templates.defaultsMenu,
      icon: 'document',
      run: () => (dialogs.open = { kind: 'defaults', nid, title }),
    },
  ];
}

function deleteEntry({ collection: { nid } }: CollectionRow): MenuEntry {
  return {
    id: 'delete',
    label: t.places.deleteCollection,
    icon: 'trash',
    danger: true,
    keys: 'Del',
    run: () => (dialogs.open = { kind: 'erase-items', nids: [nid] }),
  };
}

/** Saves what is in a collection as a finding aid. */
function saveFindingAid(nid: number, format: 'ead3' | 'html'): Promise<void> {
  const name = `finding-aid-${nid}.${format === 'ead3' ? 'xml' : 'html'}`;
  return saveFromServer(`/api/v1/items/${nid}/finding-aid?format=${format}`, name);
}

/** Creates a collection and starts renaming it, like a file manager. */
async function createSubcollection(parent: Collection): Promise<void> {
  const model = modelTerm(repository.model, 'collection')?.tid ?? 0;
  try {
    const status = await isPublicByDefault(parent.nid);
    const create = () => createItem(t.create.untitled, model, parent.nid, { status });
    const made = await createUndoable('node', create);
    refreshLists();
    await collectionTree.startRenaming(parent.nid, idOf('node', made));
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
