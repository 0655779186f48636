import type { FieldItem } from '../api/types';
import { labelOf } from '../api/labels.svelte';
import { inWords } from '../forms/values';
import { t } from '../texts';
import { list } from '../texts/format';
import type { Change } from './change';

/** A change in a few words, for a menu or a message. */
export function wordsOf({ steps }: Change): string {
  const [first] = steps;
  if (!first) return '';
  const nodes = steps.filter(({ kind }) => kind === 'node');
  if (first.act === 'delete') {
    return nodes.length > 1 ? t.undo.deletedMany(nodes.length) : t.undo.deleted(first.title);
  }
  if (first.act === 'create') return t.undo.created(first.title);
  const labels = first.fields.map(({ label }) => label);
  if (nodes.length > 1) return t.undo.changedMany(list(labels, 'conjunction'), nodes.length);
  return t.undo.changed(list(labels, 'conjunction'), first.title);
}

/** Values of a field as a person reads them. */
export function valuesInWords(items: FieldItem[]): string {
  const words = items.map((item) => {
    if (typeof item.value === 'boolean') return item.value ? t.say.yes : t.say.no;
    return inWords(item, (type, id) => labelOf(type, id)?.label ?? '…');
  });
  return words.join(' · ') || t.form.empty;
}
