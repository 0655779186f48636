import { restore } from '../../api/history';
import { getEntity, versionOf } from '../../api/resources';
import type { TrashEntry } from '../../api/trash';
import type { EntityKind } from '../../api/types';
import { undo } from '../../undo/undo.svelte';

/** Takes something out of the trash again, with what went with it; one undo puts it back there. */
export function restoreEntry(entry: TrashEntry): Promise<void> {
  return undo.during(async () => {
    const kind = entry.kind as EntityKind | 'file';
    await restore(kind, entry.id);
    const after = kind === 'file' ? null : await stateOf(kind, entry.id);
    const withFiles = entry.media + entry.files > 0;
    undo.did({ act: 'restore', kind, id: entry.id, title: entry.label, after, withFiles });
  });
}

/** The state in which something is now; null for whoever may not see it. */
function stateOf(kind: EntityKind, id: number): Promise<number | null> {
  return getEntity(kind, id).then(
    ({ body }) => versionOf(body),
    () => null,
  );
}
