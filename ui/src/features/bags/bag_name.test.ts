import { expect, test } from 'vitest';
import { safeName } from './bag_name';

test('a bag has the name of its item, in letters that every system takes', () => {
  expect(safeName('Map: “Quay” / 1571?')).toBe('Map “Quay” 1571');
  expect(safeName('../..')).toBe('bag');
  expect(safeName('\u202egpj.exe')).toBe('gpj.exe');
  expect(safeName('地図')).toBe('地図');
  expect(safeName('x'.repeat(300))).toHaveLength(80);
});
