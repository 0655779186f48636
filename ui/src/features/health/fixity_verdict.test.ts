import { expect, it } from 'vitest';
import { fixityVerdict } from './fixity_verdict';

it.each([
  [0, 0, 0, 'No files yet'],
  [1001, 1001, 0, '1,001 files. None checked yet.'],
  [1001, 600, 0, '1,001 files. 401 checked and intact.'],
  [1, 0, 0, '1 file. All checked and intact.'],
  [9, 3, 2, '2 files are damaged or missing'],
])('of %i files, %i not checked and %i amiss: %s', (versions, never_verified, amiss, words) =>
  expect(fixityVerdict({ versions, never_verified, amiss })).toBe(words),
);
