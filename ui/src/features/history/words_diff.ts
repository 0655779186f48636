/** A part of a text, and whether the other side contains it too. */
export interface DiffPart {
  text: string;
  same: boolean;
}

/** Maximum number of words that are compared; of more, only the beginning and the end are. */
const MAX_DIFF_WORDS = 1500;

/** Compares two texts word by word. */
export function diffWords(before: string, after: string): [DiffPart[], DiffPart[]] {
  const [a, b] = [splitWords(before), splitWords(after)];
  let [start, end] = [0, 0];
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const [sameA, sameB] =
    midA.length + midB.length > MAX_DIFF_WORDS ? [[], []] : longestCommonSubsequence(midA, midB);
  const parts = (all: string[], middle: string[], same: number[]) =>
    mergeParts([
      ...all.slice(0, start).map((text) => ({ text, same: true })),
      ...middle.map((text, index) => ({ text, same: same.includes(index) })),
      ...all.slice(all.length - end).map((text) => ({ text, same: true })),
    ]);
  return [parts(a, midA, sameA), parts(b, midB, sameB)];
}

/** Splits a text into words, spaces and single other characters. */
function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** Indexes of a longest common subsequence. */
function longestCommonSubsequence(a: string[], b: string[]): [number[], number[]] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (lengths[i] as Uint16Array)[j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const [left, right]: [number[], number[]] = [[], []];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      left.push(i++);
      right.push(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [left, right];
}

/** Merges neighbours of the same kind; a space between two differing parts differs with them. */
function mergeParts(parts: DiffPart[]): DiffPart[] {
  const out: DiffPart[] = [];
  parts.forEach(({ text, same }, index) => {
    const lone =
      same && text.trim() === '' && parts[index - 1]?.same === false && parts[index + 1]?.same === false;
    const is = same && !lone;
    const last = out.at(-1);
    if (last?.same === is) last.text += text;
    else out.push({ text, same: is });
  });
  return out;
}
