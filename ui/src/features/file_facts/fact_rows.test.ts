import { expect, it } from 'vitest';
import type { Media } from '../../api/types';
import { exifRows, factRows } from './fact_rows';

function media(facts: Record<string, unknown>, mime = 'image/jpeg'): Media {
  return { mime, size: 25_000, file: { facts } } as unknown as Media;
}

const said = (one: Media) => Object.fromEntries(factRows(one).map(({ label, value }) => [label, value]));

it('a picture is told by its format, measures and colour', () => {
  const facts = {
    format: 'JPEG',
    format_version: '1.01',
    puid: 'fmt/43',
    mime: 'image/jpeg',
    mime_differs: false,
  };
  const more = { width: 4000, height: 3000, colour_space: 'RGB', bit_depth: 8, profile: true };
  expect(said(media({ ...facts, ...more, resolution: { x: 300, y: 300 } }))).toEqual({
    Format: 'JPEG 1.01',
    PRONOM: 'fmt/43',
    Type: 'image/jpeg',
    Size: '25 kB',
    Dimensions: '4,000 × 3,000 px · 12 MP',
    Resolution: '300 pixels per inch',
    Colour: 'RGB, 8 bit, colour profile',
  });
});

it('a picture that lies on its side in its file is measured as it is seen', () => {
  const facts = { width: 4000, height: 3000, orientation: 6 };
  expect(said(media(facts)).Dimensions).toBe('3,000 × 4,000 px · 12 MP');
});

it('a type that is not what the file came as is marked', () => {
  const facts = { declared_mime: 'image/png', mime: 'image/jpeg', mime_differs: true };
  const rows = factRows(media(facts, 'image/png'));
  expect(rows.filter(({ warn }) => warn).map(({ value }) => value)).toEqual([
    'image/png (does not match the content)',
  ]);
});

it('a recording and a document are told by length and pages', () => {
  expect(said(media({ duration: 2467.2, sample_rate: 44_100, channels: 2 }, 'audio/x-wav'))).toMatchObject({
    Duration: '41:07',
    Audio: '44 kHz, stereo',
  });
  const page = { width: 595.28, height: 841.89 };
  expect(said(media({ pages: 74, page_size: page }, 'application/pdf'))).toMatchObject({
    Pages: '74',
    Dimensions: '210 × 297 mm',
  });
});

it('nothing is told of what is not known', () => {
  expect(factRows({ mime: null, file: null } as unknown as Media)).toEqual([]);
  expect(exifRows(media({ exif: { Model: 'X100' } }))).toEqual([{ label: 'Model', value: 'X100' }]);
});
