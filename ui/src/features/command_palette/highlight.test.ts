import { describe, expect, it } from 'vitest';
import { matchesAllTerms, highlight } from './highlight';

describe('what was typed', () => {
  it.each([
    ['Isola di Portovecchio', 'portov', true],
    ['Isola di Portovecchio', 'port iso', true],
    ['Isola di Portovecchio', 'vecchio', false],
    ['Îles de la Méditerranée', 'ile med', true],
    ['New item…', '', true],
    ['B12_0003', '0003', true],
    ['Venice', 'Rome', false],
  ])('%s, %s: %s', (label, typed, is) => expect(matchesAllTerms(label, typed)).toBe(is));

  it('is marked in the label', () => {
    expect(highlight('Isola di Portovecchio', 'portov iso')).toEqual([
      { text: 'Iso', matches: true },
      { text: 'la di ', matches: false },
      { text: 'Portov', matches: true },
      { text: 'ecchio', matches: false },
    ]);
  });

  it('is marked under its accents', () => {
    expect(highlight('Méditerranée', 'med')).toEqual([
      { text: 'Méd', matches: true },
      { text: 'iterranée', matches: false },
    ]);
  });

  it('may be nowhere in the label', () => {
    expect(highlight('PV 1904', 'harbour')).toEqual([{ text: 'PV 1904', matches: false }]);
    expect(highlight('', 'a')).toEqual([]);
  });
});
