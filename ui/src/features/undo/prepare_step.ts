import { readRevision } from '../../api/history';
import { getEntity, patchEntity } from '../../api/resources';
import type { Entity, FieldItem } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { sameValues, wireValues } from '../../fields/values';
import { prepareFileStep } from './file_steps';
import type { Direction, Step } from '../../state/undo_stack';
import type { BatchProgress } from '../../state/batch_run';
import { prepareBatchStep } from './batch_steps';
import { prepareExistence } from './existence_steps';
import { prepareSettingsStep } from './settings_steps';

/** A later change that an undo would overwrite. */
export type LaterEdit =
  /** A field whose value was changed since. */
  | { title: string; label: string; now: FieldItem[]; then: FieldItem[] }
  /** A description of what would be deleted. */
  | { words: string };

/** A step that is ready to be undone or redone. */
export interface PreparedStep {
  step: Step;
  later: LaterEdit[];
  /** Performs it. Answers the step as it is recorded from then on. */
  run: (progress: BatchProgress) => Promise<Step>;
}

/** Looks for conflicts. Nothing is changed before `run`. */
export async function prepareStep(step: Step, direction: Direction): Promise<PreparedStep> {
  if (step.act === 'batch') return prepareBatchStep(step);
  if (step.act === 'change') return prepareValueStep(step, direction);
  if (step.act === 'bytes') return prepareFileStep(step, direction);
  if (step.act === 'set') return prepareSettingsStep(step, direction);
  return prepareExistence(step, direction);
}

async function prepareValueStep(
  step: Extract<Step, { act: 'change' }>,
  direction: Direction,
): Promise<PreparedStep> {
  const { kind, id, fields, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const [wanted, left, { body: now, etag }] = await Promise.all([
    readRevision(kind, id, to),
    readRevision(kind, id, from),
    getEntity(kind, id),
  ]);
  const touched = fields.filter(({ name, type }) => !equalValues(type, now[name], left[name]));
  const values: Entity = {};
  for (const { name, type } of fields) values[name] = toWireValues(type, wanted[name]);
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

function equalValues(typeName: string, a: FieldItem[] = [], b: FieldItem[] = []): boolean {
  const type = fieldType(typeName);
  return type ? sameValues(type, a, b) : JSON.stringify(a) === JSON.stringify(b);
}

function toWireValues(typeName: string, items: FieldItem[] = []): FieldItem[] {
  const type = fieldType(typeName);
  return type ? wireValues(type, items) : items;
}
