/** Changes to watched folders, each with what takes it back. */
import {
  addWatchedFolder,
  changeWatchedFolder,
  pauseWatchedFolder,
  readWatchedFolder,
  removeWatchedFolder,
} from '../../api/watched';
import type { WatchedFolder, WatchRule } from '../../api/types';
import { settingsOfFolder, settingsStep } from '../../undo/settings';
import { undo } from '../../undo/undo.svelte';
import { folderName } from './rule';

const about = ({ id, rule }: WatchedFolder) =>
  ({ kind: 'folder', id, title: folderName(rule.path) }) as const;

/** Watches a folder; one that was watched before has its number and what is known of its files. */
export function watchFolder(rule: WatchRule): Promise<WatchedFolder> {
  return undo.during(async () => {
    const made = await addWatchedFolder(rule);
    undo.did({ act: 'create', ...about(made), after: settingsOfFolder(made) });
    return made;
  });
}

export function changeFolder(id: number, rule: WatchRule): Promise<WatchedFolder> {
  return remembered(id, () => changeWatchedFolder(id, rule));
}

export function pauseFolder(id: number, paused: boolean): Promise<WatchedFolder> {
  return remembered(id, () => pauseWatchedFolder(id, paused));
}

/** Watches a folder no longer. Its rule stays known, so that one undo brings it back. */
export function removeFolder(folder: WatchedFolder): Promise<void> {
  return undo.during(async () => {
    await removeWatchedFolder(folder.id);
    undo.did({ act: 'delete', ...about(folder) });
  });
}

function remembered(id: number, change: () => Promise<WatchedFolder>): Promise<WatchedFolder> {
  return undo.during(async () => {
    const before = await readWatchedFolder(id);
    const after = await change();
    const step = settingsStep(about(after), settingsOfFolder(before), settingsOfFolder(after));
    if (step) undo.did(step);
    return after;
  });
}
