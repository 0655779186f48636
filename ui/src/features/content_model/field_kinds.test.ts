import { expect, it } from 'vitest';
import { FIELD_KINDS, kindOf, newField } from './field_kinds';
import { problemsOf, tidied } from './field_rules';

const bundle = { kind: 'node' as const, id: 'letter', label: 'Letter', fields: [], removed_fields: [] };

it.each(FIELD_KINDS)('a new field of the kind %s is of that kind', (kind) =>
  expect(kindOf(newField(kind))).toBe(kind),
);

it('a file has no kind that people choose', () =>
  expect(kindOf({ type: 'file', target_type: 'file' })).toBeNull());

it('says what a new field lacks', () => {
  expect(Object.keys(problemsOf(newField('term'), bundle, true))).toEqual(['label', 'name', 'targets']);
  expect(Object.keys(problemsOf(newField('choice'), bundle, true))).toEqual(['label', 'name', 'choices']);
  const named = { ...newField('text'), label: 'Seal', name: 'field_seal' };
  expect(problemsOf(named, bundle, true)).toEqual({});
});

it('leaves out what is empty or the default', () => {
  const field = {
    ...newField('link'),
    name: 'field_x',
    label: ' X ',
    cardinality: 1,
    group: '',
    hidden: false,
  };
  expect(tidied({ ...field, predicates: ['', 'dcterms:relation '] })).toEqual({
    name: 'field_x',
    label: 'X',
    type: 'link',
    link_type: 17,
    predicates: ['dcterms:relation'],
  });
});
