import type { Field, FieldItem } from '../api/types';
import type { FieldType } from '../fields/editor';

/** What a field type knows of its values. */
type Values = Pick<FieldType, 'isBlank' | 'wire'>;

/** The values that would be sent: blank ones left out, only what the server takes on input. */
export function wireValues(type: Values, items: FieldItem[]): FieldItem[] {
  return items.filter((item) => !type.isBlank(item)).map((item) => type.wire(item));
}

export function sameValues(type: Values, a: FieldItem[], b: FieldItem[]): boolean {
  return JSON.stringify(wireValues(type, a)) === JSON.stringify(wireValues(type, b));
}

export function mayHoldMore(field: Field, count: number): boolean {
  return field.cardinality === -1 || count < field.cardinality;
}

/** The list with one value moved; the same list when it cannot move there. */
export function moved<T>(items: T[], from: number, to: number): T[] {
  if (from < 0 || to < 0 || from >= items.length || to >= items.length) return items;
  const next = [...items];
  const [item] = next.splice(from, 1);
  next.splice(to, 0, item as T);
  return next;
}

/** A value in a few words, for telling what an item keeps and what somebody else wrote. */
export function inWords(item: FieldItem, nameOf: (targetType: string, id: number) => string): string {
  if ('target_id' in item && item.target_id) {
    return nameOf(String(item.target_type ?? 'taxonomy_term'), Number(item.target_id));
  }
  if ('lat' in item) return `${item.lat}, ${item.lng}`;
  const word = item.value ?? item.uri ?? '';
  return String(word);
}
