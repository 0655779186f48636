import { createRole, deleteRole, listRoles, readUser, updateRole, updateUser } from '../../api/accounts';
import { updateWatchedFolder, pauseWatchedFolder, readWatchedFolder } from '../../api/watched_folders';
import { ApiError } from '../../api/errors';
import { readDefinition, writeDefinition } from '../../api/content_model';
import { putPictureAdjustment } from '../../api/picture_adjustment';
import { readMedia } from '../../api/read';
import { listTemplates, putTemplate, type Template } from '../../api/templates';
import { readSavedSearch, updateSavedSearch } from '../../api/saved_searches';
import type {
  Account,
  FieldItem,
  PictureAdjustment,
  Role,
  SavedSearch,
  WatchedFolder,
} from '../../api/types';
import { sentRoles } from '../people/collection_roles';
import { adjustmentOf } from '../../media_display/picture_adjustment';
import { changeSettings, isSame, modelOf, modelSettings } from '../../state/model_settings';
import { repository } from '../../state/repository.svelte';
import type { Direction, Settings, Step } from '../../state/undo_stack';
import { t } from '../../texts';
import {
  modelPartLabel,
  modelPartTexts,
  settingLabel,
  settingValues,
  templateLabel,
  templateTexts,
} from './setting_labels';
import type { LaterEdit, PreparedStep } from './prepare_step';

type SettingsStep = Extract<Step, { act: 'set' }>;

type RoleSetting = Pick<Role, 'label' | 'permissions'>;

/** Settings of an account that can be undone: all but its password, which is not stored. */
export function accountSettings({ name, roles, collection_roles, active }: Account): Settings {
  const inCollections = sentRoles(collection_roles);
  return { name, roles: roles.map((role) => role.name).sort(), collection_roles: inCollections, active };
}

/** Settings of a watched folder: its rule, and whether it is paused. */
export function folderSettings({ rule, paused }: WatchedFolder): Settings {
  return { ...rule, paused };
}

/** What can be changed of a saved search. */
export function savedSearchSettings({ name, query, public: isPublic }: SavedSearch): Settings {
  return { name, query, public: isPublic };
}

/** The templates that a collection keeps itself, by name; the defaults are those without a name. */
export function templateSettings(nid: number, templates: Template[]): Settings {
  const own = templates.filter(({ collection }) => collection.nid === nid);
  return Object.fromEntries(own.map(({ name, type, values }) => [name ?? '', { type, values }]));
}

/** What can be changed of roles, by name; nothing of one that there is not. */
export function roleSettings(...roles: (Role | null)[]): Settings {
  const there = roles.filter((role) => role !== null);
  return Object.fromEntries(there.map(({ name, label, permissions }) => [name, { label, permissions }]));
}

/** Reads the present settings. */
export async function readSettings(kind: SettingsStep['kind'], id: number): Promise<Settings> {
  if (kind === 'user') return accountSettings(await readUser(id));
  if (kind === 'model') return modelSettings((await readDefinition()).body);
  if (kind === 'roles') return roleSettings(...(await listRoles()));
  if (kind === 'picture') return { ...(await readAdjustment(id)) };
  if (kind === 'templates') return templateSettings(id, await listTemplates(id));
  if (kind === 'saved_search') return savedSearchSettings(await readSavedSearch(id));
  return folderSettings(await readWatchedFolder(id));
}

async function readAdjustment(mid: number): Promise<PictureAdjustment> {
  const media = await readMedia(mid);
  if (!media) throw new ApiError('not_found', t.undo.noPicture);
  return adjustmentOf(media);
}

/** A step with the settings that differ; null where none does. */
export function settingsStep(
  about: Pick<SettingsStep, 'kind' | 'id' | 'title'>,
  before: Settings,
  after: Settings,
): SettingsStep | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  const some = (all: Settings) => Object.fromEntries(changed.map((name) => [name, all[name] ?? null]));
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
    const { label, values } = settingTexts(kind, name);
    return { title, label: label([now, to]), now: values(now), then: values(to) };
  });
  return { step, later, run: () => writeSettings(step, from, to).then(() => step) };
}

/** How a setting is called, and its values. */
function settingTexts(kind: SettingsStep['kind'], name: string) {
  if (kind === 'model')
    return {
      label: (settings: Settings[]) => modelPartLabel(name, settings),
      values: (settings: Settings) => modelPartTexts(settings[name]),
    };
  if (kind === 'roles') return { label: () => t.people.roles, values: roleTexts(name) };
  const isTemplate = kind === 'templates';
  return {
    label: () => (isTemplate ? templateLabel(name) : settingLabel(name)),
    values: (settings: Settings): FieldItem[] =>
      isTemplate ? templateTexts(settings[name]) : settingValues(name, settings[name]),
  };
}

async function writeSettings({ kind, id }: SettingsStep, from: Settings, settings: Settings): Promise<void> {
  if (kind === 'model') return writeModel(from, settings);
  if (kind === 'roles') return writeRoles(from, settings);
  if (kind === 'folder') return writeFolderSettings(id, settings);
  if (kind === 'picture') {
    await putPictureAdjustment(id, { ...(await readAdjustment(id)), ...settings });
    return;
  }
  if (kind === 'templates') return writeTemplates(id, settings);
  if (kind === 'saved_search') return void (await updateSavedSearch(id, settings));
  await updateUser(id, settings);
  // The user's own permissions may have changed.
  if (id === repository.user?.uid) await repository.load();
}

/** The label and the permissions of a role, a line for each. */
const roleTexts =
  (name: string) =>
  (settings: Settings): FieldItem[] => {
    const role = settings[name] as RoleSetting | null | undefined;
    return role ? [role.label, ...role.permissions].map((value) => ({ value })) : [];
  };

async function writeRoles(from: Settings, to: Settings): Promise<void> {
  for (const name of Object.keys(to)) {
    const role = to[name] as RoleSetting | null;
    if (role === null) await deleteRole(name);
    else if (from[name]) await updateRole(name, role);
    else await createRole({ name, ...role });
  }
  // The user's own permissions may have changed.
  await repository.load();
}

async function writeModel(from: Settings, to: Settings): Promise<void> {
  const { body, etag } = await readDefinition();
  await writeDefinition(modelOf(changeSettings(modelSettings(body), from, to)), etag);
  await repository.reloadModel();
}

async function writeFolderSettings(id: number, { paused, ...rule }: Settings): Promise<void> {
  if (Object.keys(rule).length > 0) await updateWatchedFolder(id, rule);
  if (paused !== undefined) await pauseWatchedFolder(id, paused === true);
}

async function writeTemplates(nid: number, templates: Settings): Promise<void> {
  const none = { type: repository.model.bundle_roles.item, values: {} };
  for (const [name, template] of Object.entries(templates)) {
    const { type, values } = (template ?? none) as Pick<Template, 'type' | 'values'>;
    await putTemplate(nid, { name: name || null, type, values });
  }
}
