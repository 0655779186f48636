import { undoHistory } from '../../state/undo_history.svelte';
import { restoreFromTrash } from '../../api/history';
import { getEntity, versionOf } from '../../api/resources';
import type { TrashEntry } from '../../api/trash';
import type { EntityKind } from '../../api/types';

/** Restores an entry from the trash, as an undoable change. */
export function restoreEntry(entry: TrashEntry): Promise<void> {
  return undoHistory.during(async () => {
    const kind = entry.kind as EntityKind | 'file';
    await restoreFromTrash(kind, entry.id);
    const after = kind === 'file' ? null : await currentVersion(kind, entry.id);
    const withFiles = entry.media + entry.files > 0;
    undoHistory.record({ act: 'restore', kind, id: entry.id, title: entry.label, after, withFiles });
  });
}

/** The present revision; null where the user may not see it. */
function currentVersion(kind: EntityKind, id: number): Promise<number | null> {
  return getEntity(kind, id).then(
    ({ body }) => versionOf(body),
    () => null,
  );
}
