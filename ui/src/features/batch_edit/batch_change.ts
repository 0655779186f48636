/** A change of one field of many items, and its effect on each. */
import type { Entity, Field, FieldItem } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { hasRoomFor, typedText, wireValues } from '../../fields/values';

export type BatchOperation = 'add' | 'remove' | 'set' | 'replace';

export interface BatchChange {
  field: Field;
  operation: BatchOperation;
  /** The values that are added, removed, set, or that replace what is found. */
  values: FieldItem[];
  /** What is replaced: a value, or a part of a text. */
  find: FieldItem;
}

/** Why an item is not changed. */
export type SkipReason = 'has' | 'lacks' | 'same' | 'filled' | 'full' | 'required' | 'no-field' | 'no-value';

/** A value of the preview. */
export interface ValueChange {
  item: FieldItem;
  status: 'kept' | 'added' | 'removed';
}

/** The effect of a change on one item. */
export interface ChangePreview {
  /** The values that are sent. */
  after: FieldItem[];
  lines: ValueChange[];
  /** Null where the item is changed. */
  reason: SkipReason | null;
}

/** Field types whose values are texts, in which a part can be replaced. */
const TEXT_TYPES = ['string', 'string_long', 'text', 'text_long', 'text_with_summary', 'edtf'];
/** Field types that cannot be batch edited. */
const EXCLUDED_TYPES = ['file', 'image', 'media_track', 'comment'];

export const isTextField = (field: Field): boolean => TEXT_TYPES.includes(field.type);

/** Whether a field can be changed on many items. */
export function isBatchEditable(field: Field): boolean {
  return (
    fieldType(field.type) !== undefined && !EXCLUDED_TYPES.includes(field.type) && field.derived !== true
  );
}

/** The operations that a field allows. */
export function operationsFor(field: Field): BatchOperation[] {
  if (field.type === 'boolean') return ['set'];
  if (field.name === 'title') return ['set', 'replace'];
  return ['add', 'remove', 'set', 'replace'];
}

/** The effect of a change on an item. `fields` are those of its content type. */
export function previewChange(change: BatchChange, entity: Entity, fields: Field[]): ChangePreview {
  const { field } = change;
  const type = fieldType(field.type);
  if (!type || !fields.some(({ name }) => name === field.name)) return unchanged([], 'no-field');
  const before = wireValues(type, entity[field.name] ?? []);
  if (!isComplete(change)) return unchanged(before, 'no-value');
  const preview = OPERATIONS[change.operation](
    { ...change, values: wireValues(type, change.values) },
    before,
  );
  if (preview.reason === null && field.required && preview.after.length === 0)
    return unchanged(before, 'required');
  return preview;
}

/** Whether the form is complete; a field may be set to nothing, but not to a text that is no reference yet. */
export function isComplete({ field, operation, values, find }: BatchChange): boolean {
  const type = fieldType(field.type);
  if (!type || [...values, find].some((item) => typedText(item) !== '')) return false;
  if (operation === 'replace') return !type.isBlank(find);
  return operation === 'set' || wireValues(type, values).length > 0;
}

const OPERATIONS: Record<BatchOperation, (change: BatchChange, before: FieldItem[]) => ChangePreview> = {
  add({ field, values }, before) {
    const added = values.filter((value) => !includesValue(before, value));
    if (added.length === 0) return unchanged(before, 'has');
    if (field.cardinality === 1 && before.length > 0) return unchanged(before, 'filled');
    if (!hasRoomFor(field, before.length + added.length - 1)) return unchanged(before, 'full');
    return changed(before, [...before, ...added]);
  },
  remove({ values }, before) {
    const after = before.filter((value) => !includesValue(values, value));
    return after.length === before.length ? unchanged(before, 'lacks') : changed(before, after);
  },
  set({ values }, before) {
    return key(before) === key(values) ? unchanged(before, 'same') : changed(before, values);
  },
  replace(change, before) {
    const after = isTextField(change.field) ? replaceText(change, before) : replaceValues(change, before);
    return key(before) === key(after) ? unchanged(before, 'lacks') : changed(before, after);
  },
};

/** Replaces every occurrence, case-sensitively; a value that becomes blank is removed. */
function replaceText({ field, find, values }: BatchChange, before: FieldItem[]): FieldItem[] {
  const type = fieldType(field.type);
  const [from, to] = [String(find.value ?? ''), String(values[0]?.value ?? '')];
  const after = before.map((item) => ({ ...item, value: String(item.value ?? '').replaceAll(from, to) }));
  return type ? wireValues(type, after) : after;
}

/** Replaces a value; values that exist already are not duplicated. */
function replaceValues({ field, find, values }: BatchChange, before: FieldItem[]): FieldItem[] {
  const type = fieldType(field.type);
  const found = type ? type.wire(find) : find;
  const at = before.findIndex((item) => key(item) === key(found));
  if (at < 0) return before;
  const rest = before.filter((_, index) => index !== at);
  const added = values.filter((value) => !includesValue(rest, value));
  return [...rest.slice(0, at), ...added, ...rest.slice(at)];
}

function unchanged(before: FieldItem[], reason: SkipReason): ChangePreview {
  return { after: before, lines: before.map((item) => ({ item, status: 'kept' })), reason };
}

function changed(before: FieldItem[], after: FieldItem[]): ChangePreview {
  const removed = before.filter((item) => !includesValue(after, item));
  return {
    after,
    lines: [
      ...removed.map((item) => ({ item, status: 'removed' as const })),
      ...after.map((item) => ({
        item,
        status: includesValue(before, item) ? ('kept' as const) : ('added' as const),
      })),
    ],
    reason: null,
  };
}

const includesValue = (items: FieldItem[], item: FieldItem): boolean =>
  items.some((other) => key(other) === key(item));

/** A canonical text, independent of the order of properties. */
function key(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a.localeCompare(b)))
      : part,
  );
}
