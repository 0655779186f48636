import { describe, expect, it } from 'vitest';
import { acceptedExtensions, classifyFile, extensionOf, mimeOf } from './file_kinds';
import { refusalReason } from './refusal';
import { anyFileModel, sampleModel } from './sample_model';

const what = (name: string, mime: string | null = null, model = sampleModel) => {
  const classification = classifyFile(name, mime, model);
  return classification && [classification.mediaType, classification.mime, classification.model.name];
};

describe('becomes', () => {
  it.each([
    ['scan.JPG', 'image/jpeg', ['image', 'image/jpeg', 'Image']],
    ['scan.tif', 'image/tiff', ['file', 'image/tiff', 'Image']],
    ['scan.jp2', null, ['file', 'image/jp2', 'Image']],
    ['bell.wav', 'audio/x-wav', ['audio', 'audio/wav', 'Audio']],
    ['film.mp4', null, ['video', 'video/mp4', 'Video']],
    ['letter.pdf', 'application/pdf', ['document', 'application/pdf', 'Digital Document']],
    ['box.zip', 'application/zip', ['file', 'application/zip', 'Binary']],
  ])('%s (%s)', (name, mime, expected) => expect(what(name, mime)).toEqual(expected));

  it.each([
    ['scan.JPG', 'image/jpeg', ['image', 'image/jpeg', 'Image']],
    ['table.csv', 'application/vnd.ms-excel', ['file', 'text/csv', 'Digital Document']],
    ['letter.eml', null, ['file', 'message/rfc822', 'Digital Document']],
    ['notes.md', null, ['file', 'text/markdown', 'Digital Document']],
    ['page.html', 'text/html', ['file', 'text/html', 'Digital Document']],
    ['data.json', null, ['file', 'application/json', 'Binary']],
    ['photo.HEIC', null, ['file', 'image/heic', 'Image']],
    ['photo.nef', null, ['file', 'image/x-nikon-nef', 'Image']],
    ['bell.flac', null, ['file', 'audio/flac', 'Audio']],
    ['setup.exe', null, ['file', 'application/octet-stream', 'Binary']],
    ['README', null, ['file', 'application/octet-stream', 'Binary']],
  ])('%s (%s) where a media type takes any file', (name, mime, expected) =>
    expect(what(name, mime, anyFileModel())).toEqual(expected),
  );

  it('takes no file that no media type takes', () => {
    expect(what('setup.exe', 'application/x-msdownload')).toBeNull();
    expect(what('README')).toBeNull();
  });
});

describe('extensionOf', () => {
  it.each([
    ['a.b.JPG', 'jpg'],
    ['.hidden', ''],
    ['name', ''],
    ['name.', ''],
  ])('%s', (name, extension) => expect(extensionOf(name)).toBe(extension));
});

describe('mimeOf', () => {
  it('believes the extension, then the system', () => {
    expect(mimeOf('a.jpg', 'image/pjpeg', sampleModel)).toBe('image/jpeg');
    expect(mimeOf('a.zzz', 'text/x-zzz', sampleModel)).toBe('text/x-zzz');
    expect(mimeOf('a.jpg', '', sampleModel)).toBe('image/jpeg');
    expect(mimeOf('a.jpg', 'application/octet-stream', sampleModel)).toBe('image/jpeg');
    expect(mimeOf('a.zzz', null, sampleModel)).toBe('application/octet-stream');
  });
});

describe('refusal', () => {
  it.each([
    ['.DS_Store', 1, 'hidden'],
    ['Thumbs.db', 1, 'hidden'],
    ['scan_0091.tif.part', 1, 'unfinished'],
    ['setup.exe', 1, 'unsupported'],
    ['empty.jpg', 0, 'empty'],
    ['full.jpg', 1, null],
  ])('%s of %i bytes: %s', (name, size, why) => expect(refusalReason(name, size, sampleModel)).toBe(why));

  it('is only of what is no file of its own where a media type takes any', () => {
    expect(refusalReason('setup.exe', 1, anyFileModel())).toBeNull();
    expect(refusalReason('README', 1, anyFileModel())).toBeNull();
    expect(refusalReason('README', 0, anyFileModel())).toBe('empty');
    expect(refusalReason('.DS_Store', 1, anyFileModel())).toBe('hidden');
  });
});

it('accepts every extension once', () => {
  const extensions = acceptedExtensions(sampleModel);
  expect(extensions).toContain('tiff');
  expect(new Set(extensions).size).toBe(extensions.length);
});
