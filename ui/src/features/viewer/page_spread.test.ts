import { expect, it } from 'vitest';
import { spreadAt, turnedPage } from './page_spread';

it('a book lies open at two pages, but for its cover', () => {
  const open = [1, 2, 3, 4, 5, 6].map((page) => spreadAt(page, 6));
  expect(open).toEqual([[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]]);
});

it('pages are turned one by one, or two by two', () => {
  expect(turnedPage(1, 1, 6, false)).toBe(2);
  expect(turnedPage(6, 1, 6, false)).toBe(null);
  expect(turnedPage(1, -1, 6, false)).toBe(null);
  expect(turnedPage(1, 1, 6, true)).toBe(2);
  expect(turnedPage(2, 1, 6, true)).toBe(4);
  expect(turnedPage(3, -1, 6, true)).toBe(1);
  expect(turnedPage(4, -1, 6, true)).toBe(3);
  expect(turnedPage(6, 1, 6, true)).toBe(null);
});
