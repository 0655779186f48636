import { labelOf } from '../api/labels.svelte';
import type { Field, FieldItem } from '../api/types';
import { itemText } from './values';
import { repository } from '../state/repository.svelte';
import { t } from '../texts';
import { dateTime } from '../texts/format';

/** Displays a value: labels instead of ids, with the role of an agent. */
export function valueText(field: Field, item: FieldItem): string {
  if (field.type === 'timestamp') return dateTime(String(item.value));
  if (field.type === 'boolean') return booleanText(field, item.value === true);
  if (field.type === 'list_string')
    return field.allowed_values?.find(({ value }) => value === item.value)?.label ?? String(item.value);
  const words = itemText(item, targetName);
  if (!item.rel_type) return words;
  const role = String(item.rel_type);
  return `${words} (${repository.model.relators[role] ?? role})`;
}

/** Yes or no, or what the field calls them. */
export function booleanText(field: Field, on: boolean): string {
  const choice = field.allowed_values?.find(({ value }) => value === (on ? '1' : '0'));
  return choice?.label ?? (on ? t.say.yes : t.say.no);
}

/** An ellipsis while the label is requested. */
function targetName(type: string, id: number): string {
  const label = labelOf(type, id);
  if (label === null) return t.fields.missing(t.fields.things[type] ?? type, String(id));
  return label?.label ?? '…';
}
