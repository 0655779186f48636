import { readState } from '../api/history';
import { getEntity, patchEntity } from '../api/resources';
import type { Entity, FieldItem } from '../api/types';
import { fieldType } from '../fields/registry';
import { sameValues, wireValues } from '../forms/values';
import { prepareBytes } from './bytes';
import type { Direction, Step } from './change';
import { prepareExistence } from './existence';
import { prepareSettings } from './settings';

/** What somebody has changed since. */
export type LaterEdit =
  /** A field that is not as the change left it. */
  | { title: string; label: string; now: FieldItem[]; then: FieldItem[] }
  /** A thing that would go, in a sentence. */
  | { words: string };

/** What is known of a step before it is taken back or done again. */
export interface Prepared {
  step: Step;
  later: LaterEdit[];
  /** Answers the step as it is to be kept. */
  run: () => Promise<Step>;
}

/** Looks what stands against a step. Nothing is changed before `run`. */
export function prepare(step: Step, direction: Direction): Promise<Prepared> {
  if (step.act === 'change') return prepareValues(step, direction);
  if (step.act === 'bytes') return prepareBytes(step, direction);
  if (step.act === 'set') return prepareSettings(step, direction);
  return prepareExistence(step, direction);
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
    run: () => patchEntity(kind, id, step.bundle, values, etag).then(() => step),
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
