import { labelOf } from '../api/labels.svelte';
import type { Field, FieldItem } from '../api/types';
import { inWords } from '../forms/values';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';

/** A value of a field as a person reads it: names instead of numbers, and the role of an agent. */
export function valueWords(field: Field, item: FieldItem): string {
  if (field.type === 'boolean') return item.value ? t.say.yes : t.say.no;
  if (field.type === 'list_string')
    return field.allowed_values?.find(({ value }) => value === item.value)?.label ?? String(item.value);
  const words = inWords(item, nameOf);
  if (!item.rel_type) return words;
  const role = String(item.rel_type);
  return `${words} (${repository.model.relators[role] ?? role})`;
}

/** An ellipsis while a name is asked for. */
function nameOf(type: string, id: number): string {
  const label = labelOf(type, id);
  if (label === null) return t.fields.missing(t.fields.things[type] ?? type, String(id));
  return label?.label ?? '…';
}
