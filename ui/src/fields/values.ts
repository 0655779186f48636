import type { Field, FieldItem } from '../api/types';
import type { FieldType } from './editor';

type ValueFunctions = Pick<FieldType, 'isBlank' | 'wire'>;

/** The values to send, without blank ones. */
export function wireValues(type: ValueFunctions, items: FieldItem[]): FieldItem[] {
  return items.filter((item) => !type.isBlank(item)).map((item) => type.wire(item));
}

export function sameValues(type: ValueFunctions, a: FieldItem[], b: FieldItem[]): boolean {
  return JSON.stringify(wireValues(type, a)) === JSON.stringify(wireValues(type, b));
}

/** The text that was typed in place of a reference and is none yet. It is never sent. */
export function typedText(item: FieldItem): string {
  return typeof item.typed === 'string' ? item.typed.trim() : '';
}

/** Index of the value in which a text was typed. */
export const indexOfTyped = (items: FieldItem[], typed: string): number =>
  items.findIndex((item) => item.typed === typed);

/** The value with another reference; the role of an agent stays. */
export function withTarget(item: FieldItem, target: FieldItem): FieldItem {
  return { ...('rel_type' in item ? { rel_type: item.rel_type } : {}), ...target };
}

export function hasRoomFor(field: Field, count: number): boolean {
  return field.cardinality === -1 || count < field.cardinality;
}

/** Moves a value; returns the same array where it cannot move. */
export function moveValue<T>(items: T[], from: number, to: number): T[] {
  if (from < 0 || to < 0 || from >= items.length || to >= items.length) return items;
  const next = [...items];
  const [item] = next.splice(from, 1);
  next.splice(to, 0, item as T);
  return next;
}

/** A short text of a value. */
export function itemText(item: FieldItem, nameOf: (targetType: string, id: number) => string): string {
  if ('target_id' in item && item.target_id) {
    return nameOf(String(item.target_type ?? 'taxonomy_term'), Number(item.target_id));
  }
  if ('lat' in item) return `${item.lat}, ${item.lng}`;
  const word = item.value ?? item.uri ?? '';
  return String(word);
}
