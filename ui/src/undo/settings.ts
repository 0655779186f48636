import { changeUser, readUser } from '../api/accounts';
import { changeWatchedFolder, pauseWatchedFolder, readWatchedFolder } from '../api/watched';
import type { Account, FieldItem, WatchedFolder } from '../api/types';
import { repository } from '../place/repository.svelte';
import type { Direction, Settings, Step } from './change';
import { labelOfSetting, settingInWords } from './settings_words';
import type { LaterEdit, Prepared } from './steps';

type SettingsStep = Extract<Step, { act: 'set' }>;

/** What of an account can be taken back: all but its password, which is kept nowhere. */
export function settingsOfAccount({ name, roles, active }: Account): Settings {
  return { name, roles: roles.map((role) => role.name).sort(), active };
}

/** The rule of a watched folder, and whether it is followed. */
export function settingsOfFolder({ rule, paused }: WatchedFolder): Settings {
  return { ...rule, paused };
}

/** As they are now. */
export async function readSettings(kind: SettingsStep['kind'], id: number): Promise<Settings> {
  if (kind === 'user') return settingsOfAccount(await readUser(id));
  return settingsOfFolder(await readWatchedFolder(id));
}

/** Remembers what was changed of an account or a watched folder, and nothing else of it; null where nothing was. */
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

/** Looks whether what was changed is still as the step left it. There are no revisions to read it from. */
export async function prepareSettings(step: SettingsStep, direction: Direction): Promise<Prepared> {
  const { kind, id, title, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const now = await readSettings(kind, id);
  const touched = Object.keys(to).filter((name) => !isSame(now[name], from[name]));
  const later = touched.map((name): LaterEdit => {
    const values = (settings: Settings): FieldItem[] => settingInWords(name, settings[name]);
    return { title, label: labelOfSetting(name), now: values(now), then: values(to) };
  });
  return { step, later, run: () => write(step, to).then(() => step) };
}

async function write({ kind, id }: SettingsStep, settings: Settings): Promise<void> {
  if (kind === 'folder') return writeFolder(id, settings);
  await changeUser(id, settings);
  // The page shows what the person at it may do.
  if (id === repository.user?.uid) await repository.load();
}

async function writeFolder(id: number, { paused, ...rule }: Settings): Promise<void> {
  if (Object.keys(rule).length > 0) await changeWatchedFolder(id, rule);
  if (paused !== undefined) await pauseWatchedFolder(id, paused === true);
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some ?? null) === JSON.stringify(others ?? null);
}
