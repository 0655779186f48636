import { readState, restore } from '../api/history';
import { deleteEntity, deleteFile, deleteItem, getEntity, versionOf } from '../api/resources';
import type { Entity } from '../api/types';
import { removeWatchedFolder, restoreWatchedFolder } from '../api/watched';
import { t } from '../texts';
import type { Direction, Left, Settings, Step } from './change';
import { readSettings } from './settings';
import type { LaterEdit, Prepared } from './steps';

type ExistenceStep = Extract<Step, { act: 'create' | 'restore' | 'delete' }>;

/** Something came to be there, or went: taken back, it goes or comes again. */
export async function prepareExistence(step: ExistenceStep, direction: Direction): Promise<Prepared> {
  const deletes = (step.act !== 'delete') === (direction === 'undo');
  if (!deletes) return { step, later: [], run: () => bringBack(step) };
  return { step, later: await editsSince(step), run: () => erase(step).then(() => step) };
}

async function erase({ kind, id, withFiles }: ExistenceStep): Promise<void> {
  if (kind === 'file') return deleteFile(id);
  if (kind === 'folder') return removeWatchedFolder(id);
  if (kind === 'node' && withFiles) return deleteItem(id);
  return deleteEntity(kind, id);
}

async function bringBack(step: ExistenceStep): Promise<Step> {
  const { kind, id } = step;
  if (kind === 'folder') await restoreWatchedFolder(id);
  else await restore(kind, id);
  return step.act === 'delete' ? { ...step, back: await howItIs(step).catch(() => null) } : step;
}

/** How something is now, so that it can be seen later whether somebody has changed it. */
async function howItIs({ kind, id }: ExistenceStep): Promise<Left> {
  if (kind === 'file') return null;
  if (kind === 'folder') return readSettings(kind, id);
  return versionOf((await getEntity(kind, id)).body);
}

/** What was made or brought back here would go with what others have put into it. */
async function editsSince(step: ExistenceStep): Promise<LaterEdit[]> {
  const left = step.act === 'delete' ? (step.back ?? null) : step.after;
  if (left === null || (await isAsLeft(step, left))) return [];
  return [{ words: step.kind === 'folder' ? t.undo.askFolder(step.title) : t.undo.askWhole(step.title) }];
}

async function isAsLeft({ kind, id }: ExistenceStep, left: number | Settings): Promise<boolean> {
  if (kind === 'folder') return isSame(await readSettings(kind, id), left);
  if (kind === 'file' || typeof left !== 'number') return true;
  const { body } = await getEntity(kind, id);
  // What was changed and taken back again is as it was, in a later state.
  return versionOf(body) === left || isSame(described(body), described(await readState(kind, id, left)));
}

/** What a resource says, without what is said of its state. */
function described(entity: Entity): Settings {
  const ofState = (name: string) => name.startsWith('revision_') || ['vid', 'changed'].includes(name);
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !ofState(name)));
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
