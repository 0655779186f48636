import { describe, expect, it } from 'vitest';
import { fits, marked } from './marked';

describe('what was typed', () => {
  it.each([
    ['Isola di Portovecchio', 'portov', true],
    ['Isola di Portovecchio', 'port iso', true],
    ['Isola di Portovecchio', 'vecchio', false],
    ['Îles de la Méditerranée', 'ile med', true],
    ['New item…', '', true],
    ['B12_0003', '0003', true],
    ['Venice', 'Rome', false],
  ])('%s, %s: %s', (label, typed, is) => expect(fits(label, typed)).toBe(is));

  it('is marked in the label', () => {
    expect(marked('Isola di Portovecchio', 'portov iso')).toEqual([
      { text: 'Iso', hit: true },
      { text: 'la di ', hit: false },
      { text: 'Portov', hit: true },
      { text: 'ecchio', hit: false },
    ]);
  });

  it('is marked under its accents', () => {
    expect(marked('Méditerranée', 'med')).toEqual([
      { text: 'Méd', hit: true },
      { text: 'iterranée', hit: false },
    ]);
  });

  it('may be nowhere in the label', () => {
    expect(marked('PV 1904', 'harbour')).toEqual([{ text: 'PV 1904', hit: false }]);
    expect(marked('', 'a')).toEqual([]);
  });
});
