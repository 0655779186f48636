import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countTiffPages } from './tiff_pages';

const sample = (name: string) => readFileSync(`../tests/samples/pictures/${name}`);
const pagesOf = (bytes: Uint8Array) => countTiffPages(async (begin, end) => bytes.subarray(begin, end), 5000);

it('counts the pages of a TIFF, whatever its byte order', async () => {
  expect(await pagesOf(sample('pages.tif'))).toBe(3);
  expect(await pagesOf(sample('plain.tif'))).toBe(1);
  expect(await pagesOf(sample('big-endian-16.tif'))).toBe(1);
  expect(await pagesOf(sample('bigtiff.tif'))).toBe(1);
});

it('counts no smaller pictures of a page', async () => {
  expect(await pagesOf(sample('pyramid.tif'))).toBe(1);
});

it('counts nothing in what is damaged, goes round in a circle or is no TIFF', async () => {
  const pages = sample('pages.tif');
  expect(await pagesOf(pages.subarray(0, pages.length - 8))).toBeNull();
  expect(await pagesOf(sample('rgb.png'))).toBeNull();
  expect(await pagesOf(new Uint8Array(3))).toBeNull();
  const round = Uint8Array.from([
    0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0, 1, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0,
  ]);
  expect(await pagesOf(round)).toBeNull();
});

it('counts no further than it is asked to', async () => {
  const bytes = sample('pages.tif');
  expect(await countTiffPages(async (begin, end) => bytes.subarray(begin, end), 1)).toBe(2);
});
