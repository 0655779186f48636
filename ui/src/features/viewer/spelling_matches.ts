/** Finds the words of a search in a displayed text, by how the server has found them spelled. */

/** A place in a text. */
export interface TextRange {
  start: number;
  end: number;
}

/** Scripts without spaces between words: any sign can begin and end a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]/u;
const NOT_AFTER_WORD = '(?<![\\p{L}\\p{N}\\p{M}])';
const NOT_BEFORE_WORD = '(?![\\p{L}\\p{N}\\p{M}])';

/** The places of spellings, in their order. They do not overlap. */
export function findSpellings(text: string, spellings: string[]): TextRange[] {
  if (spellings.length === 0) return [];
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(toPattern).join('|'), 'giu');
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function toPattern(spelling: string): string {
  const words = spelling.split(/\s+/u).map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
  const [first, last] = [spelling.at(0) ?? '', spelling.at(-1) ?? ''];
  const before = UNSPACED.test(first) ? '' : NOT_AFTER_WORD;
  const after = UNSPACED.test(last) ? '' : NOT_BEFORE_WORD;
  return `${before}${words.join('\\s+')}${after}`;
}

/** A part of a text: the number of the mark that it is, or null. */
export interface MarkedPart {
  text: string;
  mark: number | null;
}

/** Splits a text at its marks. */
export function splitAtMarks(text: string, marks: TextRange[]): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let at = 0;
  marks.forEach(({ start, end }, mark) => {
    if (start > at) parts.push({ text: text.slice(at, start), mark: null });
    parts.push({ text: text.slice(start, end), mark });
    at = end;
  });
  if (at < text.length) parts.push({ text: text.slice(at), mark: null });
  return parts;
}
