/** What is to become of one field of many items, and what that means for each of them. */
import type { Entity, Field, FieldItem } from '../api/types';
import { fieldType } from '../fields/registry';
import { mayHoldMore, wireValues } from '../forms/values';

export type Act = 'add' | 'remove' | 'set' | 'replace';

export interface Wish {
  field: Field;
  act: Act;
  /** What is added, removed, set, or put in place of what is found. */
  values: FieldItem[];
  /** What is to be replaced: a value, or for texts words in one. */
  find: FieldItem;
}

/** Why an item stays as it is. */
export type Reason = 'has' | 'lacks' | 'same' | 'filled' | 'full' | 'required' | 'no-field' | 'no-value';

/** One value of the field, and what becomes of it. */
export interface ValueLine {
  item: FieldItem;
  fate: 'kept' | 'added' | 'removed';
}

/** What becomes of the field of one item. */
export interface Foreseen {
  /** The values that are to be sent. */
  after: FieldItem[];
  lines: ValueLine[];
  /** Null where the item changes. */
  reason: Reason | null;
}

/** Field types whose values are words, in which words can be found and replaced. */
const WORDS = ['string', 'string_long', 'text', 'text_long', 'text_with_summary', 'edtf'];
/** Field types that are not described in passing: files, and who may comment. */
const LEFT_OUT = ['file', 'image', 'media_track', 'comment'];

export const holdsWords = (field: Field): boolean => WORDS.includes(field.type);

/** Whether a field can be changed on many items. */
export function mayBatch(field: Field): boolean {
  return fieldType(field.type) !== undefined && !LEFT_OUT.includes(field.type) && field.derived !== true;
}

/** What can be done with a field: one that holds a single value takes no further one. */
export function actsFor(field: Field): Act[] {
  if (field.type === 'boolean') return ['set'];
  if (field.name === 'title') return ['set', 'replace'];
  return ['add', 'remove', 'set', 'replace'];
}

/** What a wish means for one item. `fields` are those that its content type has. */
export function foresee(wish: Wish, entity: Entity, fields: Field[]): Foreseen {
  const { field } = wish;
  const type = fieldType(field.type);
  if (!type || !fields.some(({ name }) => name === field.name)) return stays([], 'no-field');
  const before = wireValues(type, entity[field.name] ?? []);
  if (!isWhole(wish)) return stays(before, 'no-value');
  const foreseen = BY_ACT[wish.act]({ ...wish, values: wireValues(type, wish.values) }, before);
  if (foreseen.reason === null && field.required && foreseen.after.length === 0)
    return stays(before, 'required');
  return foreseen;
}

/** Whether enough was typed; a field may be set to nothing. */
export function isWhole({ field, act, values, find }: Wish): boolean {
  const type = fieldType(field.type);
  if (!type) return false;
  if (act === 'replace') return !type.isBlank(find);
  return act === 'set' || wireValues(type, values).length > 0;
}

const BY_ACT: Record<Act, (wish: Wish, before: FieldItem[]) => Foreseen> = {
  add({ field, values }, before) {
    const fresh = values.filter((value) => !holds(before, value));
    if (fresh.length === 0) return stays(before, 'has');
    if (field.cardinality === 1 && before.length > 0) return stays(before, 'filled');
    if (!mayHoldMore(field, before.length + fresh.length - 1)) return stays(before, 'full');
    return becomes(before, [...before, ...fresh]);
  },
  remove({ values }, before) {
    const after = before.filter((value) => !holds(values, value));
    return after.length === before.length ? stays(before, 'lacks') : becomes(before, after);
  },
  set({ values }, before) {
    return key(before) === key(values) ? stays(before, 'same') : becomes(before, values);
  },
  replace(wish, before) {
    const after = holdsWords(wish.field) ? replacedWords(wish, before) : replacedValues(wish, before);
    return key(before) === key(after) ? stays(before, 'lacks') : becomes(before, after);
  },
};

/** Every place where the words stand, in the case in which they were typed; a value left blank goes. */
function replacedWords({ field, find, values }: Wish, before: FieldItem[]): FieldItem[] {
  const type = fieldType(field.type);
  const [from, to] = [String(find.value ?? ''), String(values[0]?.value ?? '')];
  const after = before.map((item) => ({ ...item, value: String(item.value ?? '').replaceAll(from, to) }));
  return type ? wireValues(type, after) : after;
}

/** The value found gives way to the new ones; what is there already is not doubled. */
function replacedValues({ field, find, values }: Wish, before: FieldItem[]): FieldItem[] {
  const type = fieldType(field.type);
  const found = type ? type.wire(find) : find;
  const at = before.findIndex((item) => key(item) === key(found));
  if (at < 0) return before;
  const rest = before.filter((_, index) => index !== at);
  const fresh = values.filter((value) => !holds(rest, value));
  return [...rest.slice(0, at), ...fresh, ...rest.slice(at)];
}

function stays(before: FieldItem[], reason: Reason): Foreseen {
  return { after: before, lines: before.map((item) => ({ item, fate: 'kept' })), reason };
}

function becomes(before: FieldItem[], after: FieldItem[]): Foreseen {
  const gone = before.filter((item) => !holds(after, item));
  return {
    after,
    lines: [
      ...gone.map((item) => ({ item, fate: 'removed' as const })),
      ...after.map((item) => ({ item, fate: holds(before, item) ? ('kept' as const) : ('added' as const) })),
    ],
    reason: null,
  };
}

const holds = (items: FieldItem[], item: FieldItem): boolean =>
  items.some((other) => key(other) === key(item));

/** Values agree when they would be sent alike, in whatever order their properties stand. */
function key(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a.localeCompare(b)))
      : part,
  );
}
