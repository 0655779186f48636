import { describe, expect, it } from 'vitest';
import { moveBeside, weightsToWrite, type OrderedItem } from './order';

/** A list by its weights; the number of an item is its first position. */
const list = (...weights: (number | null)[]): OrderedItem[] =>
  weights.map((weight, nid) => ({ nid, weight }));
const nids = (placed: OrderedItem[]) => placed.map(({ nid }) => nid);

/** As the server sorts: by weight, those without behind, in the order in which they stood. */
function sorted(before: OrderedItem[], written: Map<number, number>): number[] {
  const now = before.map(({ nid, weight }, at) => ({
    nid,
    at,
    weight: written.get(nid) ?? weight ?? Infinity,
  }));
  return now
    .sort((a, b) => (a.weight === b.weight ? a.at - b.at : a.weight - b.weight))
    .map(({ nid }) => nid);
}

describe('putting down', () => {
  const five = list(1, 2, 3, 4, 5);
  it('keeps the order of those that are taken', () => {
    expect(nids(moveBeside(five, [4, 0], 2, false))).toEqual([1, 0, 4, 2, 3]);
    expect(nids(moveBeside(five, [1], 3, true))).toEqual([0, 2, 3, 1, 4]);
  });
  it('beside itself, or beside what is not there, changes nothing', () => {
    expect(moveBeside(five, [1, 2], 2, true)).toBe(five);
    expect(moveBeside(five, [1], 9, true)).toBe(five);
    expect(moveBeside(five, [], 2, true)).toBe(five);
  });
});

describe('weights', () => {
  it.each<[string, OrderedItem[], number[], number, boolean, number]>([
    ['one of a book is moved: the pages between move up', list(1, 2, 3, 4, 5), [4], 0, false, 5],
    ['with room, one weight is enough', list(10, 20, 30), [2], 0, false, 1],
    ['into the middle', list(10, 20, 30), [0], 1, true, 1],
    ['none had one', list(null, null, null), [2], 0, false, 1],
    ['behind others that have none', list(null, null, null), [0], 1, true, 2],
    ['from those without into those with', list(1, 2, null, null), [3], 0, false, 3],
    ['all alike', list(1, 1, 1, 1), [3], 0, false, 4],
    ['at the end', list(1, 2, 3), [0], 2, true, 1],
  ])('%s', (_, before, taken, beside, behind, writes) => {
    const after = moveBeside(before, taken, beside, behind);
    const written = weightsToWrite(before, after);
    expect(sorted(before, written)).toEqual(nids(after));
    expect(written.size).toBeLessThanOrEqual(writes);
  });

  it('always give the order that was wanted, from 1 on', () => {
    let seed = 7;
    const below = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    for (let round = 0; round < 2000; round += 1) {
      const length = 1 + below(12);
      const weights = Array.from({ length }, () => (below(4) === 0 ? null : 1 + below(15)));
      const rank = (weight: number | null) => weight ?? Infinity;
      const before = list(...weights.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))));
      const taken = nids(before).filter(() => below(3) === 0);
      const after = moveBeside(before, taken, below(length), below(2) === 0);
      const written = weightsToWrite(before, after);
      if (after === before) continue;
      expect(sorted(before, written), JSON.stringify({ before, taken, after })).toEqual(nids(after));
      expect(Math.min(1, ...written.values())).toBe(1);
    }
  });
});
