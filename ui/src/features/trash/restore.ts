import { restoreFromTrash } from '../../api/history';
import { readItem } from '../../api/read';
import { getEntity, versionOf } from '../../api/resources';
import type { TrashEntry } from '../../api/trash';
import type { BatchItems, EntityKind } from '../../api/types';
import { runUndoableBatch } from '../../state/batch_run';
import { navigation } from '../../state/navigation.svelte';
import { browseRoute } from '../../state/route';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';

/** Entries as a batch names them. */
export function namedEntries(entries: TrashEntry[]): BatchItems {
  return { entries: entries.map(({ kind, id }) => ({ kind, id })) };
}

/** Restores entries of the trash, as one undoable change. */
export function restoreEntries(entries: TrashEntry[]): Promise<void> {
  return undoHistory.during(() => {
    const [only, ...others] = entries;
    return only && others.length === 0 ? restoreOne(only) : restoreMany(entries);
  });
}

async function restoreOne(entry: TrashEntry): Promise<void> {
  const kind = entry.kind as EntityKind | 'file';
  await restoreFromTrash(kind, entry.id);
  const after = kind === 'file' ? null : await currentVersion(kind, entry.id);
  const withFiles = entry.media + entry.files > 0;
  undoHistory.record({ act: 'restore', kind, id: entry.id, title: entry.label, after, withFiles });
  if (kind === 'node') return tellPlace(entry);
  toaster.say(t.trash.restored(entry.label), undoAction());
}

/** Says where an item has gone, as far as the user may see it, and offers to show it there. */
async function tellPlace({ id, label }: TrashEntry): Promise<void> {
  const item = await readItem(id).catch(() => null);
  const parent = item?.ancestors.at(-1);
  const top = item?.is_collection ? t.places.collections : t.places.unfiled;
  const text = item ? t.trash.restoredTo(label, parent?.title ?? top) : t.trash.restored(label);
  const show = { label: t.say.show, run: () => navigation.go(browseRoute(null, id)) };
  toaster.say(text, item ? show : undefined, undoAction());
}

async function restoreMany(entries: TrashEntry[]): Promise<void> {
  const name = { what: 'restore', title: entries[0]?.label } as const;
  const progress = bulkProgress(entries.length, t.trash.restoring);
  const restored = await runUndoableBatch(namedEntries(entries), { act: 'restore' }, name, progress);
  const { batch, left, reason } = restored;
  const undo = batch.changed > 0 ? undoAction() : undefined;
  if (left > 0) toaster.warn(`${t.trash.partRestored(batch.changed, left)} ${reason}`, undo);
  else toaster.say(t.trash.restoredMany(batch.changed), undo);
}

/** The present revision; null where the user may not see it. */
function currentVersion(kind: EntityKind, id: number): Promise<number | null> {
  return getEntity(kind, id).then(
    ({ body }) => versionOf(body),
    () => null,
  );
}
