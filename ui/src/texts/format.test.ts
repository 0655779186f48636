import { expect, it } from 'vitest';
import { ageText, bytes, roughDuration, relativeTime, timeFromNow } from './format';

it.each([
  [0, '0 bytes'],
  [0.3, '0 bytes'],
  [999, '999 bytes'],
  [1_234, '1.2 kB'],
  [8_000_000, '8 MB'],
  [6_100_000_000, '6.1 GB'],
])('%d bytes: %s', (size, words) => expect(bytes(size)).toBe(words));

it.each([
  [0.2, '1 second'],
  [61, '61 seconds'],
  [120, '2 minutes'],
  [7200, '2 hours'],
])('%d seconds: %s', (seconds, words) => expect(roughDuration(seconds)).toMatch(new RegExp(`^${words}`)));

it.each([
  [0, '0 seconds'],
  [59, '59 seconds'],
  [3_599, '59 minutes'],
  [86_399, '23 hours'],
  [200_000, '2 days'],
])('%d seconds ago: %s', (seconds, words) => expect(ageText(seconds)).toBe(words));

it('tells how far a moment is', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  expect(timeFromNow('2026-11-21T11:58:10Z', now)).toBe('1 minute ago');
  expect(timeFromNow('2026-11-19T11:00:00Z', now)).toBe('2 days ago');
  expect(timeFromNow('2026-12-03T13:00:00Z', now)).toBe('in 12 days');
});

it('tells a moment shortly', () => {
  const now = new Date(2026, 10, 21, 12, 0);
  expect(relativeTime(new Date(2026, 10, 20, 23, 0).toISOString(), now)).toBe('Yesterday');
  expect(relativeTime(new Date(2026, 10, 18).toISOString(), now)).toMatch(/18/);
  expect(relativeTime(new Date(2025, 10, 18).toISOString(), now)).toMatch(/2025/);
  expect(relativeTime('nonsense', now)).toBe('');
});
