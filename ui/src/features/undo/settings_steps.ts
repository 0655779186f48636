import { updateUser, readUser } from '../../api/accounts';
import { updateWatchedFolder, pauseWatchedFolder, readWatchedFolder } from '../../api/watched_folders';
import type { Account, FieldItem, WatchedFolder } from '../../api/types';
import { repository } from '../../state/repository.svelte';
import type { Direction, Settings, Step } from '../../state/undo_stack';
import { settingLabel, settingValues } from './setting_labels';
import type { LaterEdit, PreparedStep } from './prepare_step';

type SettingsStep = Extract<Step, { act: 'set' }>;

/** Settings of an account that can be undone: all but its password, which is not stored. */
export function accountSettings({ name, roles, active }: Account): Settings {
  return { name, roles: roles.map((role) => role.name).sort(), active };
}

/** Settings of a watched folder: its rule, and whether it is paused. */
export function folderSettings({ rule, paused }: WatchedFolder): Settings {
  return { ...rule, paused };
}

/** Reads the present settings. */
export async function readSettings(kind: SettingsStep['kind'], id: number): Promise<Settings> {
  if (kind === 'user') return accountSettings(await readUser(id));
  return folderSettings(await readWatchedFolder(id));
}

/** A step with the settings that differ; null where none does. */
export function settingsStep(
  about: Pick<SettingsStep, 'kind' | 'id' | 'title'>,
  before: Settings,
  after: Settings,
): SettingsStep | null {
  const changed = Object.keys(after).filter((name) => !isSame(before[name], after[name]));
  const some = (all: Settings) => Object.fromEntries(changed.map((name) => [name, all[name]]));
  if (changed.length === 0) return null;
  return { act: 'set', ...about, before: some(before), after: some(after) };
}

/** Prepares a step; reports settings that were changed since. */
export async function prepareSettingsStep(step: SettingsStep, direction: Direction): Promise<PreparedStep> {
  const { kind, id, title, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const now = await readSettings(kind, id);
  const touched = Object.keys(to).filter((name) => !isSame(now[name], from[name]));
  const later = touched.map((name): LaterEdit => {
    const values = (settings: Settings): FieldItem[] => settingValues(name, settings[name]);
    return { title, label: settingLabel(name), now: values(now), then: values(to) };
  });
  return { step, later, run: () => writeSettings(step, to).then(() => step) };
}

async function writeSettings({ kind, id }: SettingsStep, settings: Settings): Promise<void> {
  if (kind === 'folder') return writeFolderSettings(id, settings);
  await updateUser(id, settings);
  // The user's own permissions may have changed.
  if (id === repository.user?.uid) await repository.load();
}

async function writeFolderSettings(id: number, { paused, ...rule }: Settings): Promise<void> {
  if (Object.keys(rule).length > 0) await updateWatchedFolder(id, rule);
  if (paused !== undefined) await pauseWatchedFolder(id, paused === true);
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some ?? null) === JSON.stringify(others ?? null);
}
