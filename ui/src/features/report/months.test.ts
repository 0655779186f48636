import { expect, it } from 'vitest';
import { monthName, withEmptyMonths } from './months';

const month = (month: string, items: number) => ({ month, items, files: 0, bytes: 0 });

it('names months', () => {
  expect(monthName('2027-01')).toBe('Jan 2027');
  expect(monthName('')).toBe('');
});

it('shows the months in which nothing was added', () => {
  const months = withEmptyMonths([month('2026-11', 3), month('2027-02', 1)]);
  expect(months.map(({ month, items }) => `${month}:${items}`)).toEqual([
    '2026-11:3',
    '2026-12:0',
    '2027-01:0',
    '2027-02:1',
  ]);
  expect(withEmptyMonths([])).toEqual([]);
  expect(withEmptyMonths([month('1970-01', 1), month('2027-02', 1)])).toHaveLength(120);
});
