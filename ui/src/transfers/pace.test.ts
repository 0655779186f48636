import { expect, it } from 'vitest';
import { Pace } from './pace';

it('says nothing before there is something to compare', () => {
  const pace = new Pace();
  expect(pace.left(100, 10)).toBeNull();
  pace.note(0, 0, 0);
  expect([pace.rate, pace.left(100, 10)]).toEqual([0, null]);
});

it('goes by the number of files where they are short, and by bytes where they are long', () => {
  const pace = new Pace();
  pace.note(0, 0, 0);
  pace.note(2000, 40, 20);
  expect(pace.rate).toBe(20);
  expect(pace.left(40, 100)).toBe(10);
  expect(pace.left(400, 1)).toBe(20);
  const long = new Pace();
  long.note(0, 0, 0);
  long.note(1000, 500, 0);
  expect(long.left(1000, 2)).toBe(2);
});

it('measures the last moments only, and anew after something was cleared', () => {
  const pace = new Pace(1000);
  pace.note(0, 0, 0);
  pace.note(2000, 10, 1);
  pace.note(3000, 1010, 2);
  expect(pace.rate).toBe(1000);
  pace.note(3100, 0, 0);
  expect(pace.rate).toBe(0);
});
