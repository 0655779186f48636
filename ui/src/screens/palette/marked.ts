/** A piece of a label, and whether it is what was typed. */
export interface Piece {
  text: string;
  hit: boolean;
}

/** A text as it is compared: without accents, whatever its case. Keeps one character for each of the text's. */
function plain(text: string): string {
  return [...text].map((letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('');
}

export function wordsOf(typed: string): string[] {
  return plain(typed).split(/\s+/).filter(Boolean);
}

/** Whether a label has every word that was typed, each at the beginning of one of its own. */
export function fits(label: string, typed: string): boolean {
  return wordsOf(typed).every((word) => startOf(plain(label), word) >= 0);
}

/** A label cut into what was typed and what was not. */
export function marked(label: string, typed: string): Piece[] {
  const letters = [...label];
  const among = plain(label);
  const hit = letters.map(() => false);
  for (const word of wordsOf(typed)) {
    const from = startOf(among, word);
    const length = from < 0 ? 0 : [...word].length;
    for (let at = from; at < from + length; at += 1) hit[at] = true;
  }
  return letters.reduce<Piece[]>((pieces, letter, at) => {
    const last = pieces.at(-1);
    if (last && last.hit === hit[at]) last.text += letter;
    else pieces.push({ text: letter, hit: hit[at] ?? false });
    return pieces;
  }, []);
}

/** Where a word begins one of the words of a text; -1 where it does not. */
function startOf(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return at;
  }
  return -1;
}
