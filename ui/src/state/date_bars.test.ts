import { expect, it } from 'vitest';
import { edtfOfYears, isBarChosen, nextBar, yearsOf } from './date_bars';

it('years are written in EDTF and read again', () => {
  for (const [first, last, date] of [
    [1901, 1901, '1901'],
    [1900, 1909, '1900/1909'],
    [0, 99, '0000/0099'],
    [-100, -1, '-0100/-0001'],
    [12000, 12999, 'Y12000/Y12999'],
  ] as const) {
    expect(edtfOfYears(first, last)).toBe(date);
    expect(yearsOf(date)).toEqual([first, last]);
  }
  for (const date of ['', '190X', '1901-05', '1901~', '1901/..']) expect(yearsOf(date)).toBeNull();
});

it('a bar is chosen by any of its years', () => {
  expect(isBarChosen(1900, 10, '1905')).toBe(true);
  expect(isBarChosen(1900, 10, '1899/1900')).toBe(true);
  expect(isBarChosen(1900, 10, '1910')).toBe(false);
  expect(isBarChosen(1900, 10, 'ca. 1900')).toBe(false);
});

it('bars without items are passed', () => {
  const bars = [3, 0, 0, 1, 0].map((count, at) => ({ year: at, count }));
  expect([nextBar(bars, 0, 1), nextBar(bars, 3, -1), nextBar(bars, 3, 1)]).toEqual([3, 0, 3]);
});
