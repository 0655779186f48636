import { expect, it } from 'vitest';
import { wrongPasswords } from './wrong_passwords';

const now = new Date('2026-11-21T12:00:00Z');
const at = (at: string, from: string) => ({ at, from });

it('names the address with the most wrong passwords of a day', () => {
  const attempts = [
    at('2026-11-21T11:59:00Z', '192.168.1.5'),
    at('2026-11-21T11:58:00Z', '192.168.1.77'),
    at('2026-11-21T08:00:00Z', '192.168.1.77'),
    at('2026-11-20T11:00:00Z', '192.168.1.9'),
    at('2026-11-20T11:00:00Z', '192.168.1.9'),
    at('2026-11-20T11:00:00Z', '192.168.1.9'),
  ];
  expect(wrongPasswords(attempts, now)).toEqual({ from: '192.168.1.77', times: 2, others: 1 });
  expect(wrongPasswords(attempts.slice(3), now)).toBeNull();
});
