import { describe, expect, it } from 'vitest';
import { fileTextPages, hitAfter, hitBefore, pageHits } from './hit_steps';

const text = [
  { page: 2, count: 2 },
  { page: 5, count: 1 },
];
const hits = fileTextPages(text, 9);

describe('hits of a file', () => {
  it('are counted on each page', () =>
    expect(hits).toEqual([
      { page: 2, at: 0 },
      { page: 2, at: 1 },
      { page: 5, at: 0 },
    ]));

  it('are all on the only page of the viewer', () =>
    expect(fileTextPages(text, 1).map(({ page, at }) => [page, at])).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
    ]));
});

it('has one hit for each page of a book', () =>
  expect(pageHits([{ nid: 7 }, { nid: 8 }, { nid: 9 }], [9, 7])).toEqual([
    { page: 1, at: 0 },
    { page: 3, at: 0 },
  ]));

describe('steps', () => {
  it('go from one hit to the next, and around', () => {
    expect(hitAfter(hits, 0, [2])).toBe(1);
    expect(hitAfter(hits, 2, [5])).toBe(0);
    expect(hitBefore(hits, 0, [2])).toBe(2);
  });

  it('begin at the displayed page', () => {
    expect(hitAfter(hits, null, [3])).toBe(2);
    expect(hitAfter(hits, null, [8, 9])).toBe(0);
    expect(hitBefore(hits, null, [3, 4])).toBe(1);
    expect(hitBefore(hits, null, [1])).toBe(2);
  });
});
