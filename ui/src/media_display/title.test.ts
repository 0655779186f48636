import { describe, expect, it } from 'vitest';
import { contentLocation, safeName, titleFromName } from './title';

describe('titleFromName', () => {
  it.each([
    ['PV_1887_003.tif', 'PV 1887 003'],
    ['regatta-01.jpg', 'regatta-01'],
    ['lettera  pilota 1848.pdf', 'lettera pilota 1848'],
    ['.jpg', '.jpg'],
    ['___.jpg', '___.jpg'],
    ['archive.tar.gz', 'archive.tar'],
    ['a\u0001b\n\u009bc.tif', 'a b c'],
    ['\u0001.tif', '_.tif'],
  ])('%s: %s', (name, title) => expect(titleFromName(name)).toBe(title));

  it('is no longer than a title may be, and cuts no character in two', () => {
    expect([...titleFromName('🏝'.repeat(300))]).toHaveLength(255);
  });
});

describe('safeName', () => {
  it.each([
    ['a/b\\c:d.jpg', 'a_b_c_d.jpg'],
    ['..hidden.jpg', 'hidden.jpg'],
    ['Isola di Caprera è.jpg', 'Isola di Caprera è.jpg'],
    ['...', 'file'],
  ])('%s: %s', (name, safe) => expect(safeName(name)).toBe(safe));
});

it('keeps new files in a folder per month', () => {
  expect(contentLocation('a b.jpg', new Date(2026, 0, 5))).toBe('public://2026-01/a b.jpg');
});
