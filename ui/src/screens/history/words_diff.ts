/** A stretch of words, and whether the other side has it too. */
export interface Part {
  text: string;
  same: boolean;
}

/** Beyond so many words on both sides together only the beginning and the end are compared. */
const MOST = 1500;

/** Two texts word by word: on each side what the other one does not have is marked. */
export function diffWords(before: string, after: string): [Part[], Part[]] {
  const [a, b] = [words(before), words(after)];
  let [start, end] = [0, 0];
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const [sameA, sameB] = midA.length + midB.length > MOST ? [[], []] : common(midA, midB);
  const parts = (all: string[], middle: string[], same: number[]) =>
    joined([
      ...all.slice(0, start).map((text) => ({ text, same: true })),
      ...middle.map((text, index) => ({ text, same: same.includes(index) })),
      ...all.slice(all.length - end).map((text) => ({ text, same: true })),
    ]);
  return [parts(a, midA, sameA), parts(b, midB, sameB)];
}

/** Words, each with what stands before the next one; marks of their own. */
function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** Positions of a longest common run of words on both sides. */
function common(a: string[], b: string[]): [number[], number[]] {
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

/** Neighbours of the same kind are one part; a space between two that differ differs with them. */
function joined(parts: Part[]): Part[] {
  const out: Part[] = [];
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
