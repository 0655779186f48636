import { expect, it } from 'vitest';
import { openAt, turned } from './pages';

it('a book lies open at two pages, but for its cover', () => {
  const open = [1, 2, 3, 4, 5, 6].map((page) => openAt(page, 6));
  expect(open).toEqual([[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]]);
});

it('pages are turned one by one, or two by two', () => {
  expect(turned(1, 1, 6, false)).toBe(2);
  expect(turned(6, 1, 6, false)).toBe(null);
  expect(turned(1, -1, 6, false)).toBe(null);
  expect(turned(1, 1, 6, true)).toBe(2);
  expect(turned(2, 1, 6, true)).toBe(4);
  expect(turned(3, -1, 6, true)).toBe(1);
  expect(turned(4, -1, 6, true)).toBe(3);
  expect(turned(6, 1, 6, true)).toBe(null);
});
