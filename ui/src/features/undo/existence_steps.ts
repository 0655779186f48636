import { readRevision, restoreFromTrash } from '../../api/history';
import { deleteEntity, deleteFile, deleteItem, getEntity, versionOf } from '../../api/resources';
import type { Entity } from '../../api/types';
import { deleteSavedSearch, restoreSavedSearch } from '../../api/saved_searches';
import { removeWatchedFolder, restoreWatchedFolder } from '../../api/watched_folders';
import { t } from '../../texts';
import type { Direction, StateMark, Settings, Step } from '../../state/undo_stack';
import { readSettings } from './settings_steps';
import type { LaterEdit, PreparedStep } from './prepare_step';

type ExistenceStep = Extract<Step, { act: 'create' | 'restore' | 'delete' }>;

/** Prepares the undo or redo of a creation, a restore or a deletion. */
export async function prepareExistence(step: ExistenceStep, direction: Direction): Promise<PreparedStep> {
  const deletes = (step.act !== 'delete') === (direction === 'undo');
  if (!deletes) return { step, later: [], run: () => restoreEntity(step) };
  return { step, later: await findLaterEdits(step), run: () => deleteEntityOf(step).then(() => step) };
}

async function deleteEntityOf({ kind, id, withFiles }: ExistenceStep): Promise<void> {
  if (kind === 'file') return deleteFile(id);
  if (kind === 'folder') return removeWatchedFolder(id);
  if (kind === 'saved_search') return deleteSavedSearch(id);
  if (kind === 'node' && withFiles) return deleteItem(id);
  return deleteEntity(kind, id);
}

async function restoreEntity(step: ExistenceStep): Promise<Step> {
  const { kind, id } = step;
  if (kind === 'folder') await restoreWatchedFolder(id);
  else if (kind === 'saved_search') await restoreSavedSearch(id);
  else await restoreFromTrash(kind, id);
  return step.act === 'delete' ? { ...step, back: await currentMark(step).catch(() => null) } : step;
}

/** The present state, to detect later changes. */
async function currentMark({ kind, id }: ExistenceStep): Promise<StateMark> {
  if (kind === 'file') return null;
  if (kind === 'folder' || kind === 'saved_search') return readSettings(kind, id);
  return versionOf((await getEntity(kind, id)).body);
}

/** Changes by others that would be deleted with the resource. */
async function findLaterEdits(step: ExistenceStep): Promise<LaterEdit[]> {
  const left = step.act === 'delete' ? (step.back ?? null) : step.after;
  if (left === null || (await isUnchanged(step, left))) return [];
  return [{ words: step.kind === 'folder' ? t.undo.askFolder(step.title) : t.undo.askWhole(step.title) }];
}

async function isUnchanged({ kind, id }: ExistenceStep, left: number | Settings): Promise<boolean> {
  if (kind === 'folder' || kind === 'saved_search') return isSame(await readSettings(kind, id), left);
  if (kind === 'file' || typeof left !== 'number') return true;
  const { body } = await getEntity(kind, id);
  // A change that was undone leaves the same values in a later revision.
  return (
    versionOf(body) === left ||
    isSame(withoutRevisionFields(body), withoutRevisionFields(await readRevision(kind, id, left)))
  );
}

/** The values of a resource without those that describe the revision. */
function withoutRevisionFields(entity: Entity): Settings {
  const ofState = (name: string) => name.startsWith('revision_') || ['vid', 'changed'].includes(name);
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !ofState(name)));
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
