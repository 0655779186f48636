/** A change of many items, as it is entered, and as the server takes it. */
import type { Field, FieldItem, ItemChange, TextMatch } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { typedText, wireValues } from '../../fields/values';

export type BatchOperation = 'add' | 'remove' | 'set' | 'replace' | 'take';

export interface BatchChange {
  field: Field;
  operation: BatchOperation;
  /** The values that are added, removed, set, or that replace what is found. */
  values: FieldItem[];
  /** What is replaced: a value, or a part of a text. */
  find: FieldItem;
  /** Whether upper and lower case matter in a text. */
  matchCase: boolean;
  /** How a text to find is read. */
  matching: TextMatch;
}

export const TEXT_MATCHES = ['text', 'word', 'regex'] as const satisfies TextMatch[];

/** Names that stand for no field: the title and all text fields; the fields that the original file can fill. */
export const ALL_TEXTS = '*texts';
export const FROM_FILE = '*file';

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

/** A choice beside the fields, which is edited like a line of text. */
export function specialField(name: typeof ALL_TEXTS | typeof FROM_FILE, label: string): Field {
  return { name, label, type: 'string', cardinality: 1, required: false };
}

/** The operations that a field allows. */
export function operationsFor(field: Field): BatchOperation[] {
  if (field.name === ALL_TEXTS) return ['replace'];
  if (field.name === FROM_FILE) return ['take'];
  if (field.type === 'boolean') return ['set'];
  if (field.name === 'title') return ['set', 'replace'];
  return ['add', 'remove', 'set', 'replace'];
}

/** Whether the form is complete; a field may be set to nothing, but not to a text that is no reference yet. */
export function isComplete({ field, operation, values, find }: BatchChange): boolean {
  const type = fieldType(field.type);
  if (operation === 'take') return true;
  if (!type || [...values, find].some((item) => typedText(item) !== '')) return false;
  if (operation === 'replace') return !type.isBlank(find);
  return operation === 'set' || wireValues(type, values).length > 0;
}

/** The change as the server takes it; null where it is not complete. */
export function requestOf(change: BatchChange): ItemChange | null {
  const type = fieldType(change.field.type);
  if (!type || !isComplete(change)) return null;
  const { field, operation, find, matchCase, matching } = change;
  if (operation === 'take') return { act: 'take_facts' };
  if (operation === 'replace' && isTextField(field)) {
    return {
      act: 'replace_text',
      fields: field.name === ALL_TEXTS ? undefined : [field.name],
      find: String(find.value ?? ''),
      by: String(change.values[0]?.value ?? ''),
      match_case: matchCase,
      match: matching,
    };
  }
  const values = wireValues(type, change.values) as Record<string, never>[];
  if (operation === 'replace')
    return { act: 'replace', field: field.name, find: type.wire(find) as Record<string, never>, values };
  return { act: operation, field: field.name, values };
}

/** A value of a preview. */
export interface ValueChange {
  item: FieldItem;
  status: 'kept' | 'added' | 'removed';
}

/** The values of a field after a change, in their order, with those that it removes at their former places. */
export function valueChanges(before: FieldItem[], after: FieldItem[]): ValueChange[] {
  const lines = after.map((item): ValueChange => {
    return { item, status: includesValue(before, item) ? 'kept' : 'added' };
  });
  for (const [index, item] of before.entries()) {
    if (includesValue(after, item)) continue;
    // After what stood before it, and is there still or was removed, too.
    const former = before[index - 1];
    const at = former ? lines.findIndex((line) => key(line.item) === key(former)) : -1;
    lines.splice(at + 1, 0, { item, status: 'removed' });
  }
  return lines;
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
