import { describe, expect, it, vi } from 'vitest';
import type { Entity, Field, FieldItem } from '../api/types';

/** Editors are components; what a value is and when it is blank is enough here. */
vi.mock('../fields/registry', () => ({
  fieldType: (name: string) => {
    const property = name === 'entity_reference' ? 'target_id' : 'value';
    return {
      isBlank: (item: FieldItem) => [undefined, null, ''].includes(item[property] as string),
      wire: (item: FieldItem) => ({ [property]: item[property] }),
    };
  },
}));

const { actsFor, foresee, isWhole } = await import('./wish');
type Wish = Parameters<typeof foresee>[0];

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

function foreseen(wish: Partial<Wish> & Pick<Wish, 'field' | 'act'>, of: Entity = item) {
  const { after, reason } = foresee({ values: [], find: {}, ...wish }, of, fields);
  return reason ?? after;
}

describe('many values', () => {
  it.each<[string, Partial<Wish>, FieldItem[] | string]>([
    ['are added where they are missing', { act: 'add', values: refs(2, 3) }, refs(1, 2, 3)],
    ['are not added twice', { act: 'add', values: refs(1) }, 'has'],
    ['are removed', { act: 'remove', values: refs(1) }, refs(2)],
    ['are not removed where they are not', { act: 'remove', values: refs(9) }, 'lacks'],
    ['are set', { act: 'set', values: refs(9) }, refs(9)],
    ['are set to nothing', { act: 'set' }, []],
    ['are not set to what they are', { act: 'set', values: refs(1, 2) }, 'same'],
    ['are replaced in their place', { act: 'replace', find: refs(1)[0], values: refs(3) }, refs(3, 2)],
    ['are not doubled by a replacement', { act: 'replace', find: refs(1)[0], values: refs(2) }, refs(2)],
    ['are not replaced where they are not', { act: 'replace', find: refs(9)[0], values: refs(2) }, 'lacks'],
    ['wait for a value', { act: 'add', values: [{ target_id: null }] }, 'no-value'],
  ])('%s', (_, wish, expected) =>
    expect(foreseen({ field: subject, act: 'add', ...wish })).toEqual(expected),
  );
});

describe('words', () => {
  it('are replaced wherever they stand, as they are written', () => {
    const wish = { field: extent, act: 'replace' as const, find: { value: 'map' }, values: words('plan') };
    expect(foreseen(wish)).toEqual(words('1 plan ; 31 cm', '2 plans'));
    expect(foreseen({ ...wish, find: { value: 'MAP' } })).toBe('lacks');
  });

  it('that are replaced by nothing take their value along', () =>
    expect(foreseen({ field: extent, act: 'replace', find: { value: '2 maps' } })).toEqual(
      words('1 map ; 31 cm'),
    ));
});

describe('a single value', () => {
  const volume = { ...extent, cardinality: 1 } as Field;
  it('is filled in only where there is none', () => {
    expect(foreseen({ field: volume, act: 'add', values: words('4') })).toBe('filled');
    expect(foreseen({ field: volume, act: 'add', values: words('4') }, {})).toEqual(words('4'));
  });

  it('that has to be there is not emptied', () => {
    expect(foreseen({ field: title, act: 'set' })).toBe('required');
    expect(actsFor(title)).toEqual(['set', 'replace']);
  });
});

it('says what comes, what goes and what stays', () => {
  const wish: Wish = { field: subject, act: 'set', values: refs(2, 3), find: {} };
  expect(foresee(wish, item, fields).lines.map(({ item, fate }) => [item.target_id, fate])).toEqual([
    [1, 'removed'],
    [2, 'kept'],
    [3, 'added'],
  ]);
});

it('leaves alone what has no such field or no more room', () => {
  const wish: Wish = { field: { ...subject, cardinality: 2 }, act: 'add', values: refs(7), find: {} };
  expect(foresee(wish, item, fields).reason).toBe('full');
  expect(foresee(wish, item, [title]).reason).toBe('no-field');
  expect(isWhole({ ...wish, values: [] })).toBe(false);
});
