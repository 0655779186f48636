import { diffWords, type DiffPart } from './words_diff';

/** One value on one side: its parts, each of them marked where the other side does not have it. */
export type DiffValue = DiffPart[];

/** Values that were written by hand, and may be compared word by word. */
const TEXT_FIELD_TYPES = ['string', 'string_long', 'text', 'text_long', 'text_with_summary'];

/** The values of a field on both sides. What stands on both is the same; what is alone is marked. */
export function diffValues(type: string, before: string[], after: string[]): [DiffValue[], DiffValue[]] {
  const [onlyBefore, onlyAfter] = [valuesMissingIn(before, after), valuesMissingIn(after, before)];
  if (TEXT_FIELD_TYPES.includes(type) && onlyBefore.length === 1 && onlyAfter.length === 1) {
    const [left, right] = diffWords(onlyBefore[0] ?? '', onlyAfter[0] ?? '');
    return [markChanged(before, onlyBefore, left), markChanged(after, onlyAfter, right)];
  }
  return [markChanged(before, onlyBefore), markChanged(after, onlyAfter)];
}

/** Values that the other side has not, or not as often. */
function valuesMissingIn(values: string[], others: string[]): string[] {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function markChanged(values: string[], alone: string[], parts?: DiffPart[]): DiffValue[] {
  const left = [...alone];
  return values.map((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0 ? [{ text, same: true }] : (parts ?? [{ text, same: false }]);
  });
}
