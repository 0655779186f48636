import { describe, expect, it } from 'vitest';
import type { Media } from '../api/types';
import { formatName, formatOfMedia } from './format_name';

describe('the format of a file', () => {
  it.each([
    ['text/csv; charset=utf-8', '', 'Comma-separated values'],
    ['image/x-nikon-nef', 'a.nef', 'Camera raw (Nikon)'],
    ['application/x-nobody-knows', 'a.zzz', 'application/x-nobody-knows'],
    ['application/octet-stream', 'a.zzz', 'ZZZ file'],
    ['', 'README', 'Unknown format'],
  ])('%s %s: %s', (mime, name, words) => expect(formatName(mime, name)).toBe(words));

  it('is what the bytes say where nothing was declared', () => {
    const media = (mime: string, facts: object) =>
      ({ mime, file: { filename: 'scan', facts } }) as unknown as Media;
    expect(formatOfMedia(media('application/octet-stream', { mime: 'application/pdf' }))).toBe(
      'PDF document',
    );
    expect(formatOfMedia(media('application/x-tar', { format: 'Tape Archive Format' }))).toBe('TAR archive');
    expect(formatOfMedia(media('x/y', { format: 'Known to PRONOM' }))).toBe('Known to PRONOM');
  });
});
