import { describe, expect, it, vi } from 'vitest';
import type { Field, FieldItem } from '../../api/types';

/** Editors are components; what a value is and when it is blank is enough here. */
vi.mock('../../fields/registry', () => ({
  fieldType: (name: string) => {
    const property = name === 'entity_reference' ? 'target_id' : 'value';
    return {
      isBlank: (item: FieldItem) => [undefined, null, ''].includes(item[property] as string),
      wire: (item: FieldItem) => ({ [property]: item[property] }),
    };
  },
}));

const { ALL_TEXTS, FROM_FILE, isComplete, operationsFor, requestOf, specialField, valueChanges } =
  await import('./batch_change');
type BatchChange = Parameters<typeof requestOf>[0];

const subject = {
  name: 'field_subject',
  label: 'Subject',
  type: 'entity_reference',
  cardinality: -1,
  required: false,
} as Field;
const extent = { ...subject, name: 'field_extent', label: 'Extent', type: 'string' } as Field;
const refs = (...ids: number[]) => ids.map((target_id) => ({ target_id }));
const words = (...values: string[]) => values.map((value) => ({ value }));

const change = (part: Partial<BatchChange>): BatchChange => ({
  field: subject,
  operation: 'add',
  values: [],
  find: {},
  matchCase: true,
  matching: 'text',
  ...part,
});

describe('the request for a change', () => {
  it('names the field and the values without their labels', () => {
    const values = [{ target_id: 3, url: '/taxonomy/term/3' }, { target_id: null }];
    expect(requestOf(change({ values }))).toEqual({ act: 'add', field: 'field_subject', values: refs(3) });
    expect(requestOf(change({ operation: 'set' }))).toEqual({
      act: 'set',
      field: 'field_subject',
      values: [],
    });
    expect(requestOf(change({ operation: 'replace', find: refs(1)[0], values: refs(2) }))).toEqual({
      act: 'replace',
      field: 'field_subject',
      find: { target_id: 1 },
      values: refs(2),
    });
  });

  it('replaces a part of a text, in one field or in all', () => {
    const part = { operation: 'replace' as const, find: { value: 'mapp' }, values: words('map') };
    const texts = { act: 'replace_text', find: 'mapp', by: 'map', match_case: true, match: 'text' };
    expect(requestOf(change({ ...part, field: extent }))).toEqual({ ...texts, fields: ['field_extent'] });
    expect(requestOf(change({ ...part, field: specialField(ALL_TEXTS, 'All') }))).toEqual(texts);
    const file = specialField(FROM_FILE, 'File');
    expect(requestOf(change({ field: file, operation: 'take' }))).toEqual({ act: 'take_facts' });
  });

  it('waits for a value, and for a text that is no reference yet', () => {
    expect(requestOf(change({}))).toBeNull();
    const values = [{ target_id: null, typed: 'Harb' }];
    expect(isComplete(change({ operation: 'set', values }))).toBe(false);
    expect(isComplete(change({ operation: 'set', values: [...refs(1), ...values] }))).toBe(false);
  });
});

it('each field has the operations that make sense', () => {
  expect(operationsFor({ ...extent, name: 'title' })).toEqual(['set', 'replace']);
  expect(operationsFor(specialField(ALL_TEXTS, 'All'))).toEqual(['replace']);
});

it('says what goes, what comes and what stays, each at its place', () => {
  const changes = (before: FieldItem[], after: FieldItem[]) =>
    valueChanges(before, after).map(({ item, status }) => [item.target_id, status]);
  expect(changes(refs(1, 2), refs(2, 3))).toEqual([
    [1, 'removed'],
    [2, 'kept'],
    [3, 'added'],
  ]);
  expect(changes(refs(1, 2, 3, 4), refs(1, 5, 4))).toEqual([
    [1, 'kept'],
    [2, 'removed'],
    [3, 'removed'],
    [5, 'added'],
    [4, 'kept'],
  ]);
});
