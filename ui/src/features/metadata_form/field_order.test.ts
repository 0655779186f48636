import { expect, it } from 'vitest';
import type { Field } from '../../api/types';
import { layoutFields } from './field_order';

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type: 'string',
  required: false,
  cardinality: 1,
  ...more,
});
const names = (fields: Field[]) => fields.map(({ name }) => name);
const none = { hasValues: () => false };

it('keeps the order of the model and shows the common, the required and the grouped fields', () => {
  const fields = [
    field('title'),
    field('field_grouped', { group: 'About' }),
    field('field_rare'),
    field('field_needed', { required: true }),
    field('field_rights'),
  ];
  const { shown, hidden } = layoutFields(fields, ['field_rights', 'title'], none);
  expect(names(shown)).toEqual(['title', 'field_needed', 'field_rights', 'field_grouped']);
  expect(names(hidden)).toEqual(['field_rare']);
});

it('shows a hidden field only with a value, and never a hidden one that is empty', () => {
  const fields = [
    field('title'),
    field('field_old', { hidden: true }),
    field('field_gone', { hidden: true }),
  ];
  const hasValues = ({ name }: Field) => name === 'field_old';
  const layout = layoutFields(fields, ['title'], { hasValues });
  expect(names(layout.shown)).toEqual(['title']);
  expect(names(layout.unusual)).toEqual(['field_old']);
  expect(layout.hidden).toEqual([]);
});
