import { expect, it } from 'vitest';
import { fingerprintGroups } from './fingerprint';

it('is read out four pairs at a time', () => {
  expect(fingerprintGroups('9F:2C:41:D7:A0:5E:13:88:C4')).toEqual(['9F:2C:41:D7', 'A0:5E:13:88', 'C4']);
  expect(fingerprintGroups('')).toEqual([]);
});
