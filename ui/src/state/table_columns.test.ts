import { expect, it } from 'vitest';
import { tableColumns, moveEntry } from './table_columns.svelte';

it.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 9, ['a', 'c', 'b']],
  [1, -3, ['b', 'a', 'c']],
  [1, 1, ['a', 'b', 'c']],
])('an entry moves from %d to %d', (from, to, expected) =>
  expect(moveEntry(['a', 'b', 'c'], from, to)).toEqual(expected),
);

it('columns are added once, moved, made wider within limits, and removed up to the last', () => {
  tableColumns.add('field_extent');
  tableColumns.add('field_extent');
  expect(tableColumns.all.map(({ id }) => id)).toEqual([
    'title',
    'date',
    'model',
    'status',
    'changed',
    'field_extent',
  ]);
  expect(tableColumns.fields).toBe('field_extent');
  tableColumns.move('field_extent', 1);
  tableColumns.resize('field_extent', 1000);
  expect(tableColumns.all[1]).toEqual({ id: 'field_extent', width: 40 });
  for (const { id } of tableColumns.all) tableColumns.remove(id);
  expect(tableColumns.all.length).toBe(1);
  tableColumns.reset();
  expect(tableColumns.all.length).toBe(5);
});
