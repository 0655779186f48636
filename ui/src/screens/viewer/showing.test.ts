import { describe, expect, it } from 'vitest';
import type { Media } from '../../api/types';
import { isText, showingOf, withUse } from './showing';

const USES = ['OriginalFile', 'ServiceFile', 'ThumbnailImage', 'ExtractedText'];

function media(use: string, mime: string, more: Partial<Media> = {}): Media {
  const tid = USES.indexOf(use) + 1;
  const file = { fid: tid, filename: use, facts: null } as unknown as Media['file'];
  return { mid: tid, name: use, mime, file, uses: [{ tid, name: use }], ...more } as Media;
}

function shelf(...all: Media[]) {
  const useOf = (tid: number) => `http://pcdm.org/use#${USES[tid - 1]}`;
  return { media: all, useOf, plays: (mime: string) => mime === 'video/mp4' };
}

const shown = (...all: Media[]) => {
  const showing = showingOf(shelf(...all));
  return [showing.kind, 'media' in showing ? showing.media.name : null];
};

describe('what is shown of an item', () => {
  const tiff = media('OriginalFile', 'image/tiff');
  const service = media('ServiceFile', 'image/jpeg');
  const small = media('ThumbnailImage', 'image/jpeg');
  const text = media('ExtractedText', 'text/plain');

  it('is the original picture where a browser shows it and it is handy', () => {
    expect(shown(media('OriginalFile', 'image/png'), service)).toEqual(['picture', 'OriginalFile']);
    const huge = media('OriginalFile', 'image/png', { width: 20_000, height: 9_000 });
    expect(shown(huge, service)).toEqual(['picture', 'ServiceFile']);
    expect(shown(huge)).toEqual(['picture', 'OriginalFile']);
  });

  it('is the service image of others, and the small picture until it is there', () => {
    expect(shown(tiff, service, small)).toEqual(['picture', 'ServiceFile']);
    expect(shown(tiff, small)).toEqual(['small', 'ThumbnailImage']);
    expect(shown(tiff)).toEqual(['file', 'OriginalFile']);
    expect(shown(media('OriginalFile', 'image/svg+xml'))).toEqual(['file', 'OriginalFile']);
  });

  it('is a copy of a film that this browser does not play', () => {
    const film = media('OriginalFile', 'video/x-matroska');
    expect(shown(film)).toEqual(['video', 'OriginalFile']);
    expect(shown(film, media('ServiceFile', 'video/mp4'))).toEqual(['video', 'ServiceFile']);
    expect(shown(media('OriginalFile', 'video/mp4'), media('ServiceFile', 'video/mp4'))).toEqual([
      'video',
      'OriginalFile',
    ]);
  });

  it('is the text of what nothing here can show', () => {
    const letter = media('OriginalFile', 'application/vnd.oasis.opendocument.text');
    expect(shown(letter)).toEqual(['file', 'OriginalFile']);
    expect(shown(letter, text)).toEqual(['text', 'ExtractedText']);
    expect(shown(media('OriginalFile', 'text/html; charset=utf-8'))).toEqual(['text', 'OriginalFile']);
  });

  it('is nothing without a file', () => {
    expect(shown()).toEqual(['nothing', null]);
    expect(shown(media('OriginalFile', 'image/png', { file: null }))).toEqual(['nothing', null]);
    expect(withUse(shelf(text), 'ExtractedText')?.name).toBe('ExtractedText');
  });
});

it.each([
  ['text/csv', true],
  ['application/json', true],
  ['application/mets+xml', true],
  ['application/zip', false],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', false],
])('%s is text: %s', (mime, is) => expect(isText(mime)).toBe(is));
