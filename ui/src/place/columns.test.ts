import { expect, it } from 'vitest';
import { columns, shifted } from './columns.svelte';

it.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 9, ['a', 'c', 'b']],
  [1, -3, ['b', 'a', 'c']],
  [1, 1, ['a', 'b', 'c']],
])('an entry moves from %d to %d', (from, to, expected) =>
  expect(shifted(['a', 'b', 'c'], from, to)).toEqual(expected),
);

it('columns are added once, moved, made wider within limits, and removed up to the last', () => {
  columns.add('field_extent');
  columns.add('field_extent');
  expect(columns.all.map(({ id }) => id)).toEqual([
    'title',
    'date',
    'model',
    'status',
    'changed',
    'field_extent',
  ]);
  expect(columns.fields).toBe('field_extent');
  columns.move('field_extent', 1);
  columns.resize('field_extent', 1000);
  expect(columns.all[1]).toEqual({ id: 'field_extent', width: 40 });
  for (const { id } of columns.all) columns.remove(id);
  expect(columns.all.length).toBe(1);
  columns.reset();
  expect(columns.all.length).toBe(5);
});
