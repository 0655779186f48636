import { expect, test } from 'vitest';
import { PAGE_SIZE } from '../api/read';
import type { Item } from '../api/types';
import { ItemRows } from './item_rows';

const page = (first: number, length: number) =>
  Array.from({ length }, (_, index) => ({ nid: first + index }) as Item);

test('items are found where they are read, and nowhere else', () => {
  const rows = new ItemRows(
    3 * PAGE_SIZE - 1,
    new Map([
      [2, page(2000, PAGE_SIZE - 1)],
      [0, page(1, PAGE_SIZE)],
    ]),
  );
  expect(rows.at(0)?.nid).toBe(1);
  expect(rows.at(PAGE_SIZE)).toBeUndefined();
  expect(rows.at(3 * PAGE_SIZE - 2)?.nid).toBe(2000 + PAGE_SIZE - 2);
  expect(rows.indexOf(2003)).toBe(2 * PAGE_SIZE + 3);
  expect(rows.indexOf(777)).toBe(-1);
  expect(rows.slice(3, 5)?.map(({ nid }) => nid)).toEqual([4, 5, 6]);
  expect(rows.slice(PAGE_SIZE - 1, PAGE_SIZE)).toBeNull();
  expect(rows.loaded.map(({ nid }) => nid).slice(PAGE_SIZE - 1, PAGE_SIZE + 1)).toEqual([PAGE_SIZE, 2000]);
  expect(rows.isComplete).toBe(false);
  expect(new ItemRows(4, new Map([[0, page(1, 4)]])).isComplete).toBe(true);
});
