import { describe, expect, it, vi } from 'vitest';
import type { Entity, Field, FieldItem } from '../../api/types';

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

const { operationsFor, previewChange, isComplete } = await import('./batch_change');
type BatchChange = Parameters<typeof previewChange>[0];

const subject = {
  name: 'field_subject',
  label: 'Subject',
  type: 'entity_reference',
  cardinality: -1,
  required: false,
} as Field;
const extent = { ...subject, name: 'field_extent', label: 'Extent', type: 'string' } as Field;
const title = { ...extent, name: 'title', label: 'Title', cardinality: 1, required: true } as Field;
const fields = [subject, extent, title];
const refs = (...ids: number[]) => ids.map((target_id) => ({ target_id }));
const words = (...values: string[]) => values.map((value) => ({ value }));
const item: Entity = {
  field_subject: [
    { target_id: 1, url: '/taxonomy/term/1' },
    { target_id: 2, url: null },
  ],
  field_extent: words('1 map ; 31 cm', '2 maps'),
  title: words('Isola'),
};

function preview(change: Partial<BatchChange> & Pick<BatchChange, 'field' | 'operation'>, of: Entity = item) {
  const { after, reason } = previewChange({ values: [], find: {}, ...change }, of, fields);
  return reason ?? after;
}

describe('many values', () => {
  it.each<[string, Partial<BatchChange>, FieldItem[] | string]>([
    ['are added where they are missing', { operation: 'add', values: refs(2, 3) }, refs(1, 2, 3)],
    ['are not added twice', { operation: 'add', values: refs(1) }, 'has'],
    ['are removed', { operation: 'remove', values: refs(1) }, refs(2)],
    ['are not removed where they are not', { operation: 'remove', values: refs(9) }, 'lacks'],
    ['are set', { operation: 'set', values: refs(9) }, refs(9)],
    ['are set to nothing', { operation: 'set' }, []],
    ['are not set to what they are', { operation: 'set', values: refs(1, 2) }, 'same'],
    ['are replaced in their place', { operation: 'replace', find: refs(1)[0], values: refs(3) }, refs(3, 2)],
    [
      'are not doubled by a replacement',
      { operation: 'replace', find: refs(1)[0], values: refs(2) },
      refs(2),
    ],
    [
      'are not replaced where they are not',
      { operation: 'replace', find: refs(9)[0], values: refs(2) },
      'lacks',
    ],
    ['wait for a value', { operation: 'add', values: [{ target_id: null }] }, 'no-value'],
  ])('%s', (_, change, expected) =>
    expect(preview({ field: subject, operation: 'add', ...change })).toEqual(expected),
  );
});

describe('words', () => {
  it('are replaced wherever they stand, as they are written', () => {
    const change = {
      field: extent,
      operation: 'replace' as const,
      find: { value: 'map' },
      values: words('plan'),
    };
    expect(preview(change)).toEqual(words('1 plan ; 31 cm', '2 plans'));
    expect(preview({ ...change, find: { value: 'MAP' } })).toBe('lacks');
  });

  it('that are replaced by nothing take their value along', () =>
    expect(preview({ field: extent, operation: 'replace', find: { value: '2 maps' } })).toEqual(
      words('1 map ; 31 cm'),
    ));
});

describe('a single value', () => {
  const volume = { ...extent, cardinality: 1 } as Field;
  it('is filled in only where there is none', () => {
    expect(preview({ field: volume, operation: 'add', values: words('4') })).toBe('filled');
    expect(preview({ field: volume, operation: 'add', values: words('4') }, {})).toEqual(words('4'));
  });

  it('that has to be there is not emptied', () => {
    expect(preview({ field: title, operation: 'set' })).toBe('required');
    expect(operationsFor(title)).toEqual(['set', 'replace']);
  });
});

it('says what comes, what goes and what stays', () => {
  const change: BatchChange = { field: subject, operation: 'set', values: refs(2, 3), find: {} };
  expect(
    previewChange(change, item, fields).lines.map(({ item, status }) => [item.target_id, status]),
  ).toEqual([
    [1, 'removed'],
    [2, 'kept'],
    [3, 'added'],
  ]);
});

it('leaves alone what has no such field or no more room', () => {
  const change: BatchChange = {
    field: { ...subject, cardinality: 2 },
    operation: 'add',
    values: refs(7),
    find: {},
  };
  expect(previewChange(change, item, fields).reason).toBe('full');
  expect(previewChange(change, item, [title]).reason).toBe('no-field');
  expect(isComplete({ ...change, values: [] })).toBe(false);
});

it('waits for a text that is no reference yet, and does not set the field to nothing instead', () => {
  const values = [{ target_id: null, typed: 'Harb' }];
  const change: BatchChange = { field: subject, operation: 'set', values, find: {} };
  expect(isComplete(change)).toBe(false);
  expect(isComplete({ ...change, values: [...refs(1), ...values] })).toBe(false);
  expect(previewChange(change, item, fields).reason).toBe('no-value');
});
