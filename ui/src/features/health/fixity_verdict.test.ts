import { expect, it } from 'vitest';
import { fixityVerdict, lastPassWords } from './fixity_verdict';

it.each([
  [0, 0, 0, 'No files yet'],
  [1001, 1001, 0, '1,001 files. None checked yet.'],
  [1001, 600, 0, '1,001 files. 401 checked and intact.'],
  [1, 0, 0, '1 file. All checked and intact.'],
  [9, 3, 2, '2 files are damaged or missing'],
])('of %i files, %i not checked and %i amiss: %s', (versions, never_verified, amiss, words) =>
  expect(fixityVerdict({ versions, never_verified, amiss })).toBe(words),
);

const finished = '2026-11-22T09:00:00Z';
const last_pass = { started: finished, finished, versions: 1, bytes: 10, amiss: 0 };

it.each([
  [2, 2, last_pass, /^No full check yet\.$/],
  [0, 0, last_pass, /^No full check yet\.$/],
  [2, 1, null, /^No full check yet\.$/],
  [2, 1, last_pass, /^Last full check .*22/],
])('of %i files, %i not checked, the last pass %j is told', (versions, never_verified, last_pass, words) =>
  expect(lastPassWords({ versions, never_verified, last_pass })).toMatch(words),
);
