import { expect, it } from 'vitest';
import { PAGE_SIZE } from '../api/read';
import type { Item } from '../api/types';
import { Arrangement, keepPlaces } from './arrangement';
import { ItemRows } from './item_rows';

/** Rows of one page; `5!` is a newer revision of item 5. */
const rows = (text: string, page = 0) => {
  const items = text.split(' ').map((word) => ({ nid: parseInt(word), vid: word.length }) as Item);
  return new ItemRows(page * PAGE_SIZE + items.length, new Map([[page, items]]));
};
const shown = (found: ItemRows) => found.loaded.map(({ nid }) => nid).join(' ');
const none = new Map<number, never>();

it('keeps an item that was changed where it is, until it stands there by itself', () => {
  const fresh = rows('2 3 1! 4');
  const first = keepPlaces(rows('1 2 3 4'), Arrangement.NONE, fresh, none);
  const kept = first.apply(fresh);
  expect(shown(kept)).toBe('1 2 3 4');
  expect([first.moveOf(1), first.moveOf(2)]).toEqual(['down', null]);
  const again = keepPlaces(kept, first, rows('1!! 2 3 4'), none);
  expect(again.kept).toEqual([]);
});

it('keeps several items, also beside each other', () => {
  const fresh = rows('5! 1 3! 2! 4');
  const found = keepPlaces(rows('1 2 3 4 5'), Arrangement.NONE, fresh, none);
  expect(shown(found.apply(fresh))).toBe('1 2 3 4 5');
  expect(found.moveOf(5)).toBe('up');
});

it('lets new items in where they belong and deleted ones out, and follows what was not changed', () => {
  const fresh = rows('1 9 4 3 2!');
  const found = keepPlaces(rows('1 2 3 4 5'), Arrangement.NONE, fresh, none);
  expect(shown(found.apply(fresh))).toBe('1 2 9 4 3');
});

it('keeps an item whose place is not loaded', () => {
  const fresh = new ItemRows(3 * PAGE_SIZE, new Map([[1, rows('11 12 13 14').loaded]]));
  const before = new ItemRows(3 * PAGE_SIZE, new Map([[1, rows('10 11 12 13').loaded]]));
  const elsewhere = new Map([[12, { item: { nid: 12 } as Item, at: 250 }]]);
  const without = new ItemRows(3 * PAGE_SIZE, new Map([[1, rows('10 11 13 14').loaded]]));
  const found = keepPlaces(before, Arrangement.NONE, without, elsewhere);
  expect(shown(found.apply(without))).toBe('10 11 12 13 14');
  expect([
    found.serverIndex(PAGE_SIZE + 1),
    found.serverIndex(PAGE_SIZE + 3),
    found.serverIndex(260),
  ]).toEqual([PAGE_SIZE + 1, PAGE_SIZE + 2, 260]);
  expect(found.keptBetween(PAGE_SIZE, PAGE_SIZE + 2)).toEqual([12]);
  expect(shown(keepPlaces(before, Arrangement.NONE, fresh, none).apply(fresh))).toBe('11 12 13 14');
});
