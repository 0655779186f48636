import { readState, restore } from '../api/history';
import { deleteEntity, deleteFile, deleteItem, getEntity, patchEntity } from '../api/resources';
import type { Entity, FieldItem } from '../api/types';
import { fieldType } from '../fields/registry';
import { sameValues, wireValues } from '../forms/values';
import { prepareBytes } from './bytes';
import type { Step } from './change';

export type Direction = 'undo' | 'redo';

/** A field that is not as the change left it: somebody has changed it since. */
export interface LaterEdit {
  title: string;
  /** Null where the whole thing would be deleted. */
  label: string | null;
  now: FieldItem[];
  then: FieldItem[];
}

/** What is known of a step before it is taken back or done again. */
export interface Prepared {
  step: Step;
  later: LaterEdit[];
  run: () => Promise<void>;
}

/** Looks what stands against a step. Nothing is changed before `run`. */
export async function prepare(step: Step, direction: Direction): Promise<Prepared> {
  if (step.act === 'change') return prepareValues(step, direction);
  if (step.act === 'bytes') return prepareBytes(step, direction);
  const deletes = (step.act !== 'delete') === (direction === 'undo');
  const run = () => (deletes ? erase(step) : restore(step.kind, step.id));
  return { step, later: deletes ? await editsSince(step) : [], run };
}

async function erase(step: Step): Promise<void> {
  if (step.kind === 'file') await deleteFile(step.id);
  else if ('withFiles' in step && step.withFiles) await deleteItem(step.id);
  else await deleteEntity(step.kind, step.id);
}

/** Something that was made or brought back here would be deleted with what others have put into it. */
async function editsSince(step: Step): Promise<LaterEdit[]> {
  if ((step.act !== 'create' && step.act !== 'restore') || step.kind === 'file') return [];
  const { body } = await getEntity(step.kind, step.id);
  return versionOf(body) === step.after ? [] : [{ title: step.title, label: null, now: [], then: [] }];
}

async function prepareValues(
  step: Extract<Step, { act: 'change' }>,
  direction: Direction,
): Promise<Prepared> {
  const { kind, id, fields, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const [wanted, left, { body: now, etag }] = await Promise.all([
    readState(kind, id, to),
    readState(kind, id, from),
    getEntity(kind, id),
  ]);
  const touched = fields.filter(({ name, type }) => !same(type, now[name], left[name]));
  const values: Entity = {};
  for (const { name, type } of fields) values[name] = wired(type, wanted[name]);
  return {
    step,
    later: touched.map(({ name, label }) => ({
      title: step.title,
      label,
      now: now[name] ?? [],
      then: wanted[name] ?? [],
    })),
    run: async () => void (await patchEntity(kind, id, step.bundle, values, etag)),
  };
}

function same(type: string, a: FieldItem[] = [], b: FieldItem[] = []): boolean {
  const known = fieldType(type);
  return known ? sameValues(known, a, b) : JSON.stringify(a) === JSON.stringify(b);
}

function wired(type: string, items: FieldItem[] = []): FieldItem[] {
  const known = fieldType(type);
  return known ? wireValues(known, items) : items;
}

export function versionOf(entity: Entity): number {
  return Number(entity.vid?.[0]?.value ?? entity.revision_id?.[0]?.value ?? 0);
}
