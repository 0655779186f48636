import { expect, test } from 'vitest';
import { PAGE } from '../api/read';
import type { Item } from '../api/types';
import { Rows } from './rows';

const page = (first: number, length: number) =>
  Array.from({ length }, (_, index) => ({ nid: first + index }) as Item);

test('items are found where they are read, and nowhere else', () => {
  const rows = new Rows(
    3 * PAGE - 1,
    new Map([
      [2, page(2000, PAGE - 1)],
      [0, page(1, PAGE)],
    ]),
  );
  expect(rows.at(0)?.nid).toBe(1);
  expect(rows.at(PAGE)).toBeUndefined();
  expect(rows.at(3 * PAGE - 2)?.nid).toBe(2000 + PAGE - 2);
  expect(rows.indexOf(2003)).toBe(2 * PAGE + 3);
  expect(rows.indexOf(777)).toBe(-1);
  expect(rows.between(3, 5)?.map(({ nid }) => nid)).toEqual([4, 5, 6]);
  expect(rows.between(PAGE - 1, PAGE)).toBeNull();
  expect(rows.read.map(({ nid }) => nid).slice(PAGE - 1, PAGE + 1)).toEqual([PAGE, 2000]);
  expect(rows.whole).toBe(false);
  expect(new Rows(4, new Map([[0, page(1, 4)]])).whole).toBe(true);
});
