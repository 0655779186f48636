import { describe, expect, it } from 'vitest';
import { splitHiddenCharacters, withVisibleMarks } from './hidden_characters';

describe('hidden characters', () => {
  it.each([
    ['an override of direction', 'photo\u202egpj.exe', 'photo[RLO]gpj.exe'],
    ['an override among Hebrew', '\u05d0\u202dabc', '\u05d0[LRO]abc'],
    ['embeddings and isolates', 'a\u202ab\u202cc\u2067d\u2069', 'a[LRE]b[PDF]c[RLI]d[PDI]'],
    ['marks of direction', 'a\u200e\u200f\u061c', 'a[LRM][RLM][ALM]'],
    ['a space without width', 'ad\u200bmin', 'ad[ZWSP]min'],
    ['joiners between Latin letters', 'ad\u200cm\u200din', 'ad[ZWNJ]m[ZWJ]in'],
    ['a joiner at the beginning', '\u200cadmin', '[ZWNJ]admin'],
    ['a joiner behind a picture', '\u{1f468}\u200dx', '\u{1f468}[ZWJ]x'],
    ['a mark of the order of bytes', '\ufeffadmin', '[ZWNBSP]admin'],
    ['a soft hyphen', 'pay\u00adpal', 'pay[SHY]pal'],
    ['control characters', 'a\u0000b\u001b[2Jc\u009b', 'a[U+0000]b[U+001B][2Jc[U+009B]'],
    ['tags', 'a\u{e0061}', 'a[U+E0061]'],
    ['fillers', 'a\u3164', 'a[U+3164]'],
  ])('%s are named', (_, text, shown) => expect(withVisibleMarks(text)).toBe(shown));

  it.each([
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a Persian abbreviation', '\u0647\u200d. \u0642.'],
    ['Hindi', '\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937'],
    ['Malayalam', '\u0d28\u0d4d\u200d'],
    ['Hebrew with marks of direction', '\u05d0 (\u200fISBN\u200e 3) \u202bx\u202c \u2067y\u2069'],
    ['Thai', '\u0e20\u200b\u0e32'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a face with a colour of skin', '\u{1f469}\u{1f3fd}\u200d\u{1f52c}'],
    ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['lines and tabs', 'a\r\n\tb'],
    ['no text', ''],
  ])('%s is left as it is', (_, text) => {
    expect(withVisibleMarks(text)).toBe(text);
    expect(splitHiddenCharacters(text)).toEqual([{ text, hidden: null }]);
  });

  it('cuts the text at them', () => {
    expect(splitHiddenCharacters('a\u202e\u200bb')).toEqual([
      { text: 'a', hidden: null },
      { text: '\u202e', hidden: 'U+202E' },
      { text: '\u200b', hidden: 'U+200B' },
      { text: 'b', hidden: null },
    ]);
  });
});
