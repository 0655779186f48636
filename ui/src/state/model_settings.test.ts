import { expect, it } from 'vitest';
import type { FieldDefinition, ModelDefinition } from '../api/content_model';
import { countChanges } from '../features/content_model/count_changes';
import { changeSettings, modelOf, modelSettings } from './model_settings';

const field = (name: string, label = name): FieldDefinition => ({ name, label, type: 'string' });
const model = (fields: FieldDefinition[], removed: FieldDefinition[] = []): ModelDefinition => ({
  bundles: [{ kind: 'node', id: 'letter', label: 'Letter', fields, removed_fields: removed }],
  relators: { 'relators:aut': 'Author' },
  namespaces: {},
});
/** The model with what was changed from one to the other. */
const changed = (now: ModelDefinition, from: ModelDefinition, to: ModelDefinition) =>
  modelOf(changeSettings(modelSettings(now), modelSettings(from), modelSettings(to)));

const [a, b, c] = [field('a'), field('b'), field('c')];

it('a model is the same after it was taken apart', () => {
  const whole = { ...model([a, b], [c]), future: { kept: true } };
  expect(modelOf(modelSettings(whole))).toEqual(whole);
});

it('two people who add fields keep both', () =>
  expect(changed(model([a, b]), model([a]), model([a, c]))).toEqual(model([a, c, b])));

it('a field that others have removed stays removed', () =>
  expect(changed(model([b], [a]), model([a, b]), model([a, b, c]))).toEqual(model([b, c], [a])));

it('an undo sets back what was changed and keeps what others did', () => {
  const renamed = field('a', 'Author');
  const [before, after] = [model([a, b]), model([renamed, b])];
  expect(changed(model([renamed, b, c]), after, before)).toEqual(model([a, b, c]));
  expect(changed(model([b, c], [a]), model([b], [a]), model([a, b]))).toEqual(model([a, b, c]));
});

it('counts fields, not what they are stored in', () => {
  const count = (from: ModelDefinition, to: ModelDefinition) =>
    countChanges(modelSettings(from), modelSettings(to));
  expect(count(model([a]), model([a, b]))).toBe(1);
  expect(count(model([a, b]), model([a], [b]))).toBe(1);
  expect(count(model([a, b]), model([b, a]))).toBe(1);
  expect(count(model([a, b]), model([field('a', 'Author'), b, c]))).toBe(2);
  expect(count(model([a]), model([a]))).toBe(0);
});
