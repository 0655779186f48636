import { expect, it } from 'vitest';
import { diffWords, type DiffPart } from './words_diff';

const marked = (parts: DiffPart[]) => parts.map(({ text, same }) => (same ? text : `[${text}]`)).join('');

it.each([
  [
    'Isola di Portovecchio',
    'Isola di Portovecchio, con li scogli',
    'Isola di Portovecchio',
    'Isola di Portovecchio[, con li scogli]',
  ],
  [
    'A map of the island seen from the sea with soundings.',
    'A map of the island and the reefs around it with soundings.',
    'A map of the island [seen from] the [sea] with soundings.',
    'A map of the island [and] the [reefs around it] with soundings.',
  ],
  ['1571', '1569/1571~', '1571', '[1569/]1571[~]'],
  ['same', 'same', 'same', 'same'],
  ['', 'new', '', '[new]'],
  ['old words', '', '[old words]', ''],
])('%s → %s', (before, after, left, right) =>
  expect(diffWords(before, after).map(marked)).toEqual([left, right]),
);

it('what is very long is compared by its beginning and its end, and nothing of it is lost', () => {
  const long = (middle: string) =>
    `Begin ${Array.from({ length: 3000 }, (_, n) => `${middle}${n}`).join(' ')} end`;
  const [left, right] = diffWords(long('a'), long('b'));
  expect(left.map(({ text }) => text).join('')).toBe(long('a'));
  expect([left[0], right.at(-1)]).toEqual([
    { text: 'Begin ', same: true },
    { text: ' end', same: true },
  ]);
});
