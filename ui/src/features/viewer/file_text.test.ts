import { describe, expect, it } from 'vitest';
import { decodeText, splitPages, formatText } from './file_text';

const bytes = (...all: number[]) => new Uint8Array(all).buffer;
const utf8 = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

describe('a text', () => {
  it('is read in the encoding that it has', () => {
    expect(decodeText(utf8('Büro'))).toBe('Büro');
    expect(decodeText(bytes(0x42, 0xfc, 0x72, 0x6f))).toBe('Büro');
    expect(decodeText(bytes(0xff, 0xfe, 0x42, 0, 0xfc, 0))).toBe('Bü');
    expect(decodeText(bytes(0xfe, 0xff, 0, 0x42, 0, 0xfc))).toBe('Bü');
    expect(decodeText(bytes())).toBe('');
  });

  it('may be cut within a character', () => {
    expect(decodeText(bytes(0x42, 0xc3), true)).toBe('B');
  });

  it('is put in lines where it is JSON', () => {
    expect(formatText('{"a":[1]}', 'application/ld+json')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(formatText('{"a":', 'application/json')).toBe('{"a":');
    expect(formatText('{"a":1}', 'text/plain')).toBe('{"a":1}');
  });

  it('has pages', () => expect(splitPages('one\ftwo')).toEqual(['one', 'two']));
});
