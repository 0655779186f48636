import { expect, it } from 'vitest';
import { Throughput } from './throughput';

it('says nothing before there is something to compare', () => {
  const pace = new Throughput();
  expect(pace.secondsLeft(100, 10)).toBeNull();
  pace.record(0, 0, 0);
  expect([pace.rate, pace.secondsLeft(100, 10)]).toEqual([0, null]);
});

it('goes by the number of files where they are short, and by bytes where they are long', () => {
  const pace = new Throughput();
  pace.record(0, 0, 0);
  pace.record(2000, 40, 20);
  expect(pace.rate).toBe(20);
  expect(pace.secondsLeft(40, 100)).toBe(10);
  expect(pace.secondsLeft(400, 1)).toBe(20);
  const long = new Throughput();
  long.record(0, 0, 0);
  long.record(1000, 500, 0);
  expect(long.secondsLeft(1000, 2)).toBe(2);
});

it('measures the last moments only, and anew after something was cleared', () => {
  const pace = new Throughput(1000);
  pace.record(0, 0, 0);
  pace.record(2000, 10, 1);
  pace.record(3000, 1010, 2);
  expect(pace.rate).toBe(1000);
  pace.record(3100, 0, 0);
  expect(pace.rate).toBe(0);
});
