import { diffWords, type Part } from './words_diff';

/** One value on one side: its parts, each of them marked where the other side does not have it. */
export type ValueParts = Part[];

/** Values that were written by hand, and may be compared word by word. */
const WRITTEN = ['string', 'string_long', 'text', 'text_long', 'text_with_summary'];

/** The values of a field on both sides. What stands on both is the same; what is alone is marked. */
export function diffValues(type: string, before: string[], after: string[]): [ValueParts[], ValueParts[]] {
  const [onlyBefore, onlyAfter] = [without(before, after), without(after, before)];
  if (WRITTEN.includes(type) && onlyBefore.length === 1 && onlyAfter.length === 1) {
    const [left, right] = diffWords(onlyBefore[0] ?? '', onlyAfter[0] ?? '');
    return [marked(before, onlyBefore, left), marked(after, onlyAfter, right)];
  }
  return [marked(before, onlyBefore), marked(after, onlyAfter)];
}

/** Values that the other side has not, or not as often. */
function without(values: string[], others: string[]): string[] {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function marked(values: string[], alone: string[], parts?: Part[]): ValueParts[] {
  const left = [...alone];
  return values.map((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0 ? [{ text, same: true }] : (parts ?? [{ text, same: false }]);
  });
}
