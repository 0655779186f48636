import { expect, test } from 'vitest';
import { weightsAt, type Sibling } from './term_order';

const terms = (text: string): Sibling[] =>
  text.split(' ').map((one, index) => {
    const [name = '', weight = '0'] = one.split(':');
    return { tid: index + 1, name, weight: Number(weight) };
  });

/** The names in the order that the database would list them in, after a move. */
function ordered(text: string, name: string, index: number): string {
  const all = terms(text);
  const moved = all.find((one) => one.name === name);
  if (!moved) throw new Error(name);
  const siblings = all.filter((one) => one !== moved);
  const weights = weightsAt(moved, { parent: 0, siblings, index });
  const after = all.map((one) => ({ ...one, weight: weights.get(one.tid) ?? one.weight }));
  after.sort((a, b) => a.weight - b.weight || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return `${after.map((one) => one.name).join(' ')} (${weights.size})`;
}

test('a term goes to any place of a list by name', () => {
  expect(ordered('a B c d', 'd', 0)).toBe('d a B c (1)');
  expect(ordered('a B c d', 'd', 1)).toBe('a d B c (2)');
  expect(ordered('a B c d', 'a', 3)).toBe('B c d a (1)');
  expect(ordered('a B c d', 'a', 1)).toBe('B a c d (1)');
  expect(ordered('a B c d', 'B', 1)).toBe('a B c d (0)');
});

test('weights that leave room are kept', () => {
  expect(ordered('x:1 b:5 a:9', 'a', 1)).toBe('x a b (1)');
  expect(ordered('x:1 b:2 a:9', 'x', 2)).toBe('b a x (1)');
  expect(ordered('c:1 b:2 a:3', 'a', 1)).toBe('c a b (1)');
  expect(ordered('c:1 b:2 d:3', 'd', 1)).toBe('c d b (1)');
});
