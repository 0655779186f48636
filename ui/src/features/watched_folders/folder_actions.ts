import { undoHistory } from '../../state/undo_history.svelte';
/** Undoable changes of watched folders. */
import {
  addWatchedFolder,
  updateWatchedFolder,
  pauseWatchedFolder,
  readWatchedFolder,
  removeWatchedFolder,
} from '../../api/watched_folders';
import type { WatchedFolder, WatchRule } from '../../api/types';
import { folderSettings, settingsStep } from '../undo/settings_steps';
import { folderName } from './rule';

const stepSubject = ({ id, rule }: WatchedFolder) =>
  ({ kind: 'folder', id, title: folderName(rule.path) }) as const;

/** Adds a watched folder. One that was watched before keeps its id and its ledger. */
export function watchFolder(rule: WatchRule): Promise<WatchedFolder> {
  return undoHistory.during(async () => {
    const made = await addWatchedFolder(rule);
    undoHistory.record({ act: 'create', ...stepSubject(made), after: folderSettings(made) });
    return made;
  });
}

export function updateFolder(id: number, rule: WatchRule): Promise<WatchedFolder> {
  return withUndoStep(id, () => updateWatchedFolder(id, rule));
}

export function pauseFolder(id: number, paused: boolean): Promise<WatchedFolder> {
  return withUndoStep(id, () => pauseWatchedFolder(id, paused));
}

/** Removes a watched folder. Its rule is kept for an undo. */
export function removeFolder(folder: WatchedFolder): Promise<void> {
  return undoHistory.during(async () => {
    await removeWatchedFolder(folder.id);
    undoHistory.record({ act: 'delete', ...stepSubject(folder) });
  });
}

function withUndoStep(id: number, change: () => Promise<WatchedFolder>): Promise<WatchedFolder> {
  return undoHistory.during(async () => {
    const before = await readWatchedFolder(id);
    const after = await change();
    const step = settingsStep(stepSubject(after), folderSettings(before), folderSettings(after));
    if (step) undoHistory.record(step);
    return after;
  });
}
