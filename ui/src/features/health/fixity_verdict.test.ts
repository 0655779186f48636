import { expect, it } from 'vitest';
import { fixityVerdict } from './fixity_verdict';

it.each([
  [0, 0, 0, 'There are no files yet'],
  [1001, 1001, 0, '1,001 files, none checked yet'],
  [1001, 600, 0, '401 of 1,001 files checked, and as they arrived'],
  [1, 0, 0, '1 file, all checked and as they arrived'],
  [9, 3, 2, '2 versions are not as they arrived'],
])('of %i files, %i not checked and %i amiss: %s', (versions, never_verified, amiss, words) =>
  expect(fixityVerdict({ versions, never_verified, amiss })).toBe(words),
);
