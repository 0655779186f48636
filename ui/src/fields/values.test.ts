import { describe, expect, it } from 'vitest';
import type { FieldType } from './editor';
import { itemText, hasRoomFor, moveValue, sameValues, wireValues } from './values';

const plain: Omit<FieldType, 'Editor'> = {
  empty: () => ({ value: '' }),
  isBlank: (item) => item.value === '',
  wire: ({ value }) => ({ value }),
};
const field = { name: 'x', label: 'X', type: 'string', required: false };

it('sends neither blank values nor what the server added', () => {
  const items = [{ value: 'a', processed: '<p>a</p>' }, { value: '' }];
  expect(wireValues(plain, items)).toEqual([{ value: 'a' }]);
});

it('sees no change in an added blank value', () => {
  expect(sameValues(plain, [{ value: 'a' }], [{ value: 'a' }, { value: '' }])).toBe(true);
  expect(sameValues(plain, [{ value: 'a' }], [{ value: 'b' }])).toBe(false);
});

describe('moved', () => {
  const items = ['a', 'b', 'c'];
  it('moves a value and leaves the list given alone', () => {
    expect(moveValue(items, 0, 2)).toEqual(['b', 'c', 'a']);
    expect(items).toEqual(['a', 'b', 'c']);
  });
  it('stays where there is no further', () => {
    expect(moveValue(items, 0, -1)).toBe(items);
    expect(moveValue(items, 2, 3)).toBe(items);
  });
});

it('knows how many values a field holds', () => {
  expect(hasRoomFor({ ...field, cardinality: -1 }, 99)).toBe(true);
  expect(hasRoomFor({ ...field, cardinality: 2 }, 2)).toBe(false);
});

it('says a value in words', () => {
  const nameOf = (type: string, id: number) => `${type} ${id}`;
  expect(itemText({ value: 'x' }, nameOf)).toBe('x');
  expect(itemText({ target_id: 4, target_type: 'node' }, nameOf)).toBe('node 4');
  expect(itemText({ lat: 1, lng: 2 }, nameOf)).toBe('1, 2');
  expect(itemText({ uri: 'http://a' }, nameOf)).toBe('http://a');
});
