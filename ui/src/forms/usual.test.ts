import { expect, it } from 'vitest';
import { arrange } from './usual';

const field = (name: string, required = false) => ({
  name,
  label: name,
  type: 'string',
  required,
  cardinality: 1,
});

it('puts the usual fields first and keeps the rest in the order of the model', () => {
  const fields = [field('field_z'), field('field_rights'), field('field_a', true), field('title')];
  const { shown, hidden } = arrange(fields, () => false);
  expect(shown.map(({ name }) => name)).toEqual(['title', 'field_rights', 'field_a']);
  expect(hidden.map(({ name }) => name)).toEqual(['field_z']);
});
