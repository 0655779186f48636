import { expect, it } from 'vitest';
import { sampleModel } from '../../media_display/sample_model';
import { layoutFields } from './field_order';

const field = (name: string, required = false) => ({
  name,
  label: name,
  type: 'string',
  required,
  cardinality: 1,
});

it('puts the usual fields first and keeps the rest in the order of the model', () => {
  const fields = [field('field_z'), field('field_rights'), field('field_a', true), field('title')];
  const { shown, hidden } = layoutFields(fields, sampleModel.field_roles.common, () => false);
  expect(shown.map(({ name }) => name)).toEqual(['title', 'field_rights', 'field_a']);
  expect(hidden.map(({ name }) => name)).toEqual(['field_z']);
});
