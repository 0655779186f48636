import { expect, it } from 'vitest';
import type { AccessToken } from '../../api/types';
import { expiryAfter, expiryOf, usedWords } from './token_times';

const now = new Date('2026-11-21T12:00:00Z');
const token = (times: Partial<AccessToken>): AccessToken => ({
  id: 1,
  name: 'Workbench',
  user: { uid: 1, name: 'admin' },
  created: '2026-01-01T00:00:00Z',
  last_used: null,
  last_address: null,
  scope: 'all',
  expires: null,
  ...times,
});

it.each([
  [null, 'Never used'],
  ['2026-11-21T11:59:30Z', 'Used just now'],
  ['2026-11-21T12:00:10Z', 'Used just now'],
  ['2026-11-21T11:57:30Z', 'Used 2 minutes ago'],
  ['2026-11-18T11:00:00Z', 'Used 3 days ago'],
])('used at %s: %s', (last_used, words) => expect(usedWords(token({ last_used }), now)).toBe(words));

it('marks what has expired or will soon', () => {
  const of = (expires: string | null) => expiryOf(token({ expires }), now);
  expect(of(null)).toBeNull();
  expect(of('2026-11-20T12:00:00Z')).toMatchObject({ soon: true, words: expect.stringMatching(/^Expired/) });
  expect(of('2026-12-01T13:00:00Z')).toMatchObject({ soon: true, words: 'Expires in 10 days' });
  expect(of('2027-11-21T12:00:00Z')).toMatchObject({ soon: false, words: expect.stringMatching(/2027/) });
});

it('makes a moment of a lifetime', () => {
  expect(expiryAfter('never', '2027-01-01', now)).toBeNull();
  expect(expiryAfter('month', '', now)).toBe('2026-12-21T12:00:00.000Z');
  expect(expiryAfter('date', '2027-01-31', now)).toBe(new Date(2027, 1, 1).toISOString());
  expect(expiryAfter('date', '', now)).toBeNull();
});
