import { expect, it } from 'vitest';
import type { ModelDefinition, ModelEffect } from '../../api/content_model';
import { effectText, weightOf } from './effects';

const model = (...labels: string[]): ModelDefinition => ({
  bundles: [
    {
      kind: 'node',
      id: 'letter',
      label: 'Letter',
      fields: labels.map((label) => ({ name: `field_${label.toLowerCase()}`, label, type: 'string' })),
    },
  ],
  relators: {},
  namespaces: {},
});
const effect = (change: string, resources: number): ModelEffect => ({
  kind: 'node',
  bundle: 'letter',
  field: 'field_seal',
  change,
  resources,
});

it.each([
  ['field_added', 0, 'New field Seal in Letter'],
  ['field_removed', 12, 'Seal is removed from Letter; its values are no longer shown in 12 items'],
  ['field_removed', 0, 'Seal is removed from Letter; nothing has a value there'],
  ['field_returned', 1, 'Seal returns to Letter, with its values in 1 item'],
  ['now_required', 3, 'Seal becomes required, and 3 items have no value'],
  ['something_new', 3, 'something_new'],
])('%s of %d is told', (change, resources, words) =>
  expect(effectText(effect(change, resources), model(), model('Seal'))).toBe(words),
);

it('marks what hides values and what existing values break', () => {
  expect(weightOf(effect('field_removed', 12))).toBe('hides');
  expect(weightOf(effect('field_removed', 0))).toBe('none');
  expect(weightOf(effect('shorter', 1))).toBe('breaks');
});
