import { describe, expect, it } from 'vitest';
// `tests/http/customary_dates.rs` sends these to the server.
import table from '../../../tests/samples/customary_dates.json';
import { readCustomaryDate, toEdtf } from './customary_date';

/** Of each level of ISO 8601-2, Annex A. */
const EDTF = [
  '1955',
  '1955-06',
  '1955-06-12',
  '1955-06-12T10:20:30Z',
  '1914/1918',
  '2004-06/2006',
  '2004-06/2006-08-01',
  '1955?',
  '1955-06~',
  '1955-06-12%',
  '1910-23',
  '1921-24',
  '199X',
  '19XX',
  '1955-XX',
  '1955-06-XX',
  '../1900',
  '1900/..',
  '1900/',
  '/1900',
  '-0043',
  'Y170000002',
  'Y-17E7',
  '1950S2',
  '2004-06-~11',
  '?2004-06-~11',
  '[1667,1668,1670..1672]',
  '{1960,1961-12}',
  '[..1760-12-03]',
  '15XX-12-25',
  '1984~/2004-06',
];

it.each(Object.entries(table))('reads %s as %s', (typed, edtf) => {
  expect(toEdtf(` ${typed} `)).toBe(edtf);
  expect(toEdtf(typed.toUpperCase())).toBe(edtf);
});

it.each([
  ['3/4/1955', ['1955-04-03', '1955-03-04']],
  ['3-4-1955', ['1955-04-03', '1955-03-04']],
  ['ca. 3/4/1955', ['1955-04-03~', '1955-03-04~']],
  ['1900s', ['190X', '19XX']],
  ['1900er', ['190X', '19XX']],
  ['ca. 1914-1918', ['1914~/1918', '1914~/1918~']],
])('does not choose for %s', (typed, readings) => {
  expect(readCustomaryDate(typed)).toEqual({ readings });
  expect(toEdtf(typed)).toBe(typed);
});

it.each([
  '',
  ' ',
  'garbage',
  '31.2.1955',
  '29.2.1900',
  '0.6.1955',
  '12.13.1955',
  '12.6.55',
  '13/13/1955',
  '1914-18',
  '1918-1914',
  '1955er',
  '0. Jahrhundert',
  'Junk 1955',
  'ma 1955',
  'um',
  'um um 1930',
  'vor',
  'vor nach 1900',
  'vor 1914-1918',
  'ca',
  '1955 - ',
  `um ${'0'.repeat(100)}`,
])('leaves %j as it is', (typed) => {
  expect(readCustomaryDate(typed)).toBeNull();
  expect(toEdtf(typed)).toBe(typed.trim());
});

/** The same numbers each time (Mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('whatever is typed', () => {
  const next = random(1955);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const digits = (length: number) => Array.from({ length }, () => Math.floor(next() * 10)).join('');

  it('leaves EDTF as it is', () => {
    for (const edtf of EDTF) expect(toEdtf(edtf)).toBe(edtf);
    const mark = () => pick(['', '', '?', '~', '%']);
    const date = () => {
      const year = pick([digits(4), `${digits(3)}X`, `${digits(2)}XX`, `-${digits(4)}`]);
      const month = pick(['01', '06', '12', '21', '24', 'XX']);
      return pick([year, `${year}-${month}`, `${year}-${month}-${pick(['01', '28', 'XX'])}`]) + mark();
    };
    const end = () => pick([date(), date(), '', '..']);
    for (let round = 0; round < 20_000; round += 1) {
      const edtf = pick([date, () => `${end()}/${end()}`, () => `[${date()},${date()}]`])();
      expect(toEdtf(edtf)).toBe(edtf);
    }
  });

  it('is read without an exception, and what is read stays as it is', () => {
    const parts = [
      ...Object.keys(table).flatMap((typed) => typed.split(/\b/)),
      ...EDTF,
      ' ',
      '-',
      '/',
      '😀',
      '\0',
      'ß',
    ];
    for (let round = 0; round < 20_000; round += 1) {
      const typed = Array.from({ length: Math.floor(next() * 6) }, () => pick(parts)).join('');
      const edtf = toEdtf(typed);
      expect(toEdtf(edtf)).toBe(edtf);
    }
  });
});
