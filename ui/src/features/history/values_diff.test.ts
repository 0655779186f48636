import { expect, it } from 'vitest';
import { diffValues } from './values_diff';

const words = (sides: ReturnType<typeof diffValues>) =>
  sides.map((side) =>
    side.map((parts) => parts.map(({ text, same }) => (same ? text : `[${text}]`)).join('')),
  );

it.each([
  [
    'a value came',
    'entity_reference',
    ['Harbours'],
    ['Harbours', 'Shoals'],
    [['Harbours'], ['Harbours', '[Shoals]']],
  ],
  [
    'a name is not compared by its words',
    'entity_reference',
    ['Le Sorelle'],
    ['Le Isole'],
    [['[Le Sorelle]'], ['[Le Isole]']],
  ],
  ['a text is', 'string', ['Le Sorelle'], ['Le Isole'], [['Le [Sorelle]'], ['Le [Isole]']]],
  [
    'one of two texts',
    'string',
    ['a', 'b c'],
    ['a', 'b d'],
    [
      ['a', 'b [c]'],
      ['a', 'b [d]'],
    ],
  ],
  ['the same twice', 'string', ['a', 'a'], ['a'], [['[a]', 'a'], ['a']]],
  [
    'another order only',
    'string',
    ['a', 'b'],
    ['b', 'a'],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ],
])('%s', (_, type, before, after, sides) => expect(words(diffValues(type, before, after))).toEqual(sides));
