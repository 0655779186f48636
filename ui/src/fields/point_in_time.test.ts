import { expect, it } from 'vitest';
import { localMinute, pointInTime } from './point_in_time';

it('reads and writes the local time zone', () => {
  const local = '2027-03-04T05:06';
  const written = pointInTime(local);
  expect(written).toMatch(/^2027-03-0\dT\d\d:\d\d:00\+00:00$/);
  expect(Date.parse(written)).toBe(new Date(2027, 2, 4, 5, 6).getTime());
  expect(localMinute(written)).toBe(local);
});

it.each(['', 'soon'])('knows that “%s” is no time', (text) => {
  expect(localMinute(text)).toBe('');
  expect(pointInTime(text)).toBe('');
});
