import { describe, expect, it } from 'vitest';
import { findSpellings, splitAtMarks } from './spelling_matches';

const found = (text: string, ...spellings: string[]) =>
  findSpellings(text, spellings).map(({ start, end }) => text.slice(start, end));

describe('findSpellings', () => {
  it('finds whole words in any case', () => {
    expect(found('The House, a houseboat; HOUSE.', 'house')).toEqual(['House', 'HOUSE']);
    expect(found('Häuser und Häuserfront', 'häuser')).toEqual(['Häuser']);
  });

  it('finds phrases across lines', () => {
    expect(found('Canal\u00a0Grande, the canal\ngrande', 'canal grande')).toEqual([
      'Canal\u00a0Grande',
      'canal\ngrande',
    ]);
  });

  it('prefers the longer of two spellings', () => {
    expect(found('map of Venice', 'map', 'map of')).toEqual(['map of']);
  });

  it('finds signs within a run of them', () => expect(found('東京都', '京都')).toEqual(['京都']));

  it('takes signs as they are', () => expect(found('a.b axb (1)', 'a.b', '(1')).toEqual(['a.b', '(1']));

  it('finds nothing of nothing', () => expect(found('text')).toEqual([]));
});

it('splits a text at its marks', () => {
  const text = 'a map here';
  expect(splitAtMarks(text, findSpellings(text, ['map']))).toEqual([
    { text: 'a ', mark: null },
    { text: 'map', mark: 0 },
    { text: ' here', mark: null },
  ]);
});
