import { expect, it } from 'vitest';
import { reference } from '../../api/resources';
import { parentsAfterMove, type Move } from './membership';

const cases: [string, number[], Move, number[]][] = [
  ['from one collection to another', [1], { from: 1, to: 2 }, [2]],
  ['a membership elsewhere stays', [3, 1, 4], { from: 1, to: 2 }, [3, 2, 4]],
  ['into one that it is in already', [1, 2], { from: 1, to: 2 }, [2]],
  ['out of nowhere', [], { from: null, to: 2 }, [2]],
  ['from a view: out of all', [1, 3], { from: null, to: 2 }, [2]],
  ['to nowhere', [1, 3], { from: 1, to: null }, [3]],
  ['to nowhere from a view', [1, 3], { from: null, to: null }, []],
  ['beside where it is', [1], { from: 1, to: 2, keep: true }, [1, 2]],
  ['one whose parent somebody else has changed', [5], { from: 1, to: 2 }, [2, 5]],
];

it.each(cases)('%s', (_, before, move, after) =>
  expect(
    parentsAfterMove(
      before.map((id) => reference('node', id)),
      move,
    ).map((item) => item.target_id),
  ).toEqual(after),
);

it.each<[number[], Move]>([
  [[2], { from: 2, to: 2 }],
  [[2], { from: null, to: 2 }],
  [[1, 2], { from: 1, to: 2, keep: true }],
  [[], { from: null, to: null }],
])('%j stays the same list by %j', (parents, move) => {
  const before = parents.map((id) => ({ target_id: id, target_type: 'node', url: `/node/${id}` }));
  expect(parentsAfterMove(before, move)).toBe(before);
});
