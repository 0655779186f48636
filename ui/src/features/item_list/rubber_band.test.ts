import { expect, it } from 'vitest';
import { cellsInBox } from './rubber_band.svelte';

/** Three columns of 100, 4 apart, rows of 200, 12 around; eight cards. */
const grid = { columns: 3, count: 8, width: 3 * 100 + 2 * 4 + 24, rowHeight: 204, padding: 12, gap: 4 };
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

it.each([
  ['a card', box(20, 20, 30, 30), [0]],
  ['the ground beside', box(0, 0, 11, 11), []],
  ['the gap between two', box(113, 20, 115, 30), []],
  ['across two columns and two rows', box(100, 100, 130, 300), [0, 1, 3, 4]],
  ['everything', box(0, 0, 900, 9000), [0, 1, 2, 3, 4, 5, 6, 7]],
  ['behind the last', box(250, 450, 330, 600), []],
])('%s', (_, frame, positions) => expect(cellsInBox(frame, grid)).toEqual(positions));
