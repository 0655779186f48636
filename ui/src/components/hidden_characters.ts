/** A part of a text, or an invisible character in it. */
export interface TextSegment {
  text: string;
  /** Code point of the invisible character, as in `U+202E`. */
  hidden: string | null;
}

/** Short names, as Unicode's charts have them. */
const SHORT_NAMES: Record<string, string> = {
  'U+00AD': 'SHY',
  'U+061C': 'ALM',
  'U+200B': 'ZWSP',
  'U+200C': 'ZWNJ',
  'U+200D': 'ZWJ',
  'U+200E': 'LRM',
  'U+200F': 'RLM',
  'U+202A': 'LRE',
  'U+202B': 'RLE',
  'U+202C': 'PDF',
  'U+202D': 'LRO',
  'U+202E': 'RLO',
  'U+2060': 'WJ',
  'U+2066': 'LRI',
  'U+2067': 'RLI',
  'U+2068': 'FSI',
  'U+2069': 'PDI',
  'U+FEFF': 'ZWNBSP',
};

/** Invisible characters, except where a script requires them. */
const HIDDEN_CHARACTERS = new RegExp(
  [
    // Control characters without tabs and line breaks; soft hyphen; direction overrides.
    '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u202D\\u202E]',
    // Fillers, joiners of words, operators, tags.
    '[\\u115F\\u1160\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0]|[\\u{E0000}-\\u{E007F}]',
    // Zero-width spaces, except in scripts without spaces.
    '(?<![\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}])\\u200B',
    // Joiners, except in scripts that need them and in emoji sequences.
    '(?<!JOINING)\\u200C',
    '(?<!JOINING)(?<!\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D',
    '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?!\\p{Extended_Pictographic})',
  ]
    .join('|')
    .replaceAll('JOINING', `[${joiningScripts()}]`),
  'gu',
);
const HIDDEN_OR_DIRECTION = new RegExp(
  `${HIDDEN_CHARACTERS.source}|[\\u061C\\u200E\\u200F\\u202A-\\u202C\\u2066-\\u2069]`,
  'gu',
);
/** Right-to-left letters: texts with them need direction marks. */
const RIGHT_TO_LEFT =
  /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Flags of regions consist of tag characters. */
const TAG_FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;

function joiningScripts(): string {
  const scripts =
    'Arabic Syriac Mandaic Mongolian Nko Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada ' +
    'Malayalam Sinhala Tibetan Myanmar Khmer Balinese Javanese Grantha Newa Tirhuta Sharada Brahmi Chakma';
  return scripts
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('');
}

/** Splits a text at invisible characters that could mislead a reader. */
export function splitHiddenCharacters(text: string): TextSegment[] {
  const found: TextSegment[] = [];
  const flags = [...text.matchAll(TAG_FLAG)].map(
    (flag) => [flag.index, flag.index + flag[0].length] as const,
  );
  let start = 0;
  for (const { index, 0: character } of text.matchAll(
    RIGHT_TO_LEFT.test(text) ? HIDDEN_CHARACTERS : HIDDEN_OR_DIRECTION,
  )) {
    if (flags.some(([from, to]) => from <= index && index < to)) continue;
    if (index > start) found.push({ text: text.slice(start, index), hidden: null });
    found.push({ text: character, hidden: codeOf(character) });
    start = index + character.length;
  }
  if (start < text.length || found.length === 0) found.push({ text: text.slice(start), hidden: null });
  return found;
}

/** Whether a text contains such characters. */
export function hasHiddenCharacters(text: string): boolean {
  return splitHiddenCharacters(text).some(({ hidden }) => hidden !== null);
}

/** A plain text with the short names of invisible characters, as in `photo[RLO]gpj.exe`. */
export function withVisibleMarks(text: string): string {
  return splitHiddenCharacters(text)
    .map(({ text, hidden }) => (hidden === null ? text : markFor(hidden)))
    .join('');
}

/** The mark of an invisible character: its short name, or its code. */
export function markFor(code: string): string {
  return `[${SHORT_NAMES[code] ?? code}]`;
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
