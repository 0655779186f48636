import { describe, expect, it } from 'vitest';
import type { Media, TermRole } from '../api/types';
import { isText, presentationOf, mediaWithUse } from './presentation';

const USES: TermRole[] = ['original_file', 'service_file', 'thumbnail_image', 'extracted_text'];

function media(use: TermRole, mime: string, more: Partial<Media> = {}): Media {
  const tid = USES.indexOf(use) + 1;
  const file = { fid: tid, filename: use, facts: null } as unknown as Media['file'];
  return { mid: tid, name: use, mime, file, uses: [{ tid, name: use }], ...more } as Media;
}

function itemMedia(...all: Media[]) {
  const roleOf = (tid: number) => USES[tid - 1] ?? null;
  return { media: all, roleOf, canPlay: (mime: string) => mime === 'video/mp4' };
}

const shown = (...all: Media[]) => {
  const presentation = presentationOf(itemMedia(...all));
  return [presentation.kind, 'media' in presentation ? presentation.media.name : null];
};

describe('what is shown of an item', () => {
  const tiff = media('original_file', 'image/tiff');
  const service = media('service_file', 'image/jpeg');
  const small = media('thumbnail_image', 'image/jpeg');
  const text = media('extracted_text', 'text/plain');

  it('is the original picture where a browser shows it and it is handy', () => {
    expect(shown(media('original_file', 'image/png'), service)).toEqual(['picture', 'original_file']);
    const huge = media('original_file', 'image/png', { width: 20_000, height: 9_000 });
    expect(shown(huge, service)).toEqual(['picture', 'service_file']);
    expect(shown(huge)).toEqual(['picture', 'original_file']);
  });

  it('is the service image of others, and the small picture until it is there', () => {
    expect(shown(tiff, service, small)).toEqual(['picture', 'service_file']);
    expect(shown(tiff, small)).toEqual(['small', 'thumbnail_image']);
    expect(shown(tiff)).toEqual(['file', 'original_file']);
    expect(shown(media('original_file', 'image/svg+xml'))).toEqual(['file', 'original_file']);
  });

  it('is a copy of a film that this browser does not play', () => {
    const film = media('original_file', 'video/x-matroska');
    expect(shown(film)).toEqual(['video', 'original_file']);
    expect(shown(film, media('service_file', 'video/mp4'))).toEqual(['video', 'service_file']);
    expect(shown(media('original_file', 'video/mp4'), media('service_file', 'video/mp4'))).toEqual([
      'video',
      'original_file',
    ]);
  });

  it('is the text of what nothing here can show', () => {
    const letter = media('original_file', 'application/vnd.oasis.opendocument.text');
    expect(shown(letter)).toEqual(['file', 'original_file']);
    expect(shown(letter, text)).toEqual(['text', 'extracted_text']);
    expect(shown(media('original_file', 'text/html; charset=utf-8'))).toEqual(['text', 'original_file']);
  });

  it('is nothing without a file', () => {
    expect(shown()).toEqual(['nothing', null]);
    expect(shown(media('original_file', 'image/png', { file: null }))).toEqual(['nothing', null]);
    expect(mediaWithUse(itemMedia(text), 'extracted_text')?.name).toBe('extracted_text');
  });
});

it.each([
  ['text/csv', true],
  ['text/html', true],
  ['message/rfc822', true],
  ['application/yaml', true],
  ['application/json', true],
  ['application/mets+xml', true],
  ['application/zip', false],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', false],
])('%s is text: %s', (mime, is) => expect(isText(mime)).toBe(is));
