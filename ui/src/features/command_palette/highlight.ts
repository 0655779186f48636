/** A part of a label, and whether it matches the typed text. */
export interface HighlightSegment {
  text: string;
  matches: boolean;
}

/** Removes accents and case, one character for each of the text. */
function normalize(text: string): string {
  return [...text].map((letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('');
}

export function searchTerms(typed: string): string[] {
  return normalize(typed).split(/\s+/).filter(Boolean);
}

/** Whether each search term starts a word of the label. */
export function matchesAllTerms(label: string, typed: string): boolean {
  return searchTerms(typed).every((word) => findTermStart(normalize(label), word) >= 0);
}

/** Splits a label into matching and other parts. */
export function highlight(label: string, typed: string): HighlightSegment[] {
  const letters = [...label];
  const among = normalize(label);
  const hit = letters.map(() => false);
  for (const word of searchTerms(typed)) {
    const from = findTermStart(among, word);
    const length = from < 0 ? 0 : [...word].length;
    for (let at = from; at < from + length; at += 1) hit[at] = true;
  }
  return letters.reduce<HighlightSegment[]>((pieces, letter, at) => {
    const last = pieces.at(-1);
    if (last && last.matches === hit[at]) last.text += letter;
    else pieces.push({ text: letter, matches: hit[at] ?? false });
    return pieces;
  }, []);
}

/** Index at which a term starts a word of a text; -1 where it does not. */
function findTermStart(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return at;
  }
  return -1;
}
