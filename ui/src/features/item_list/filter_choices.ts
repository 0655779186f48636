/** Options of each kind of filter. */
import { cacheLabel } from '../../api/labels.svelte';
import { findTermsByName } from '../../fields/term_search';
import type { ContentModel, Field } from '../../api/types';
import { shortUri } from '../../fields/short_uri';
import type { Option } from '../../components/Combobox.svelte';
import type { Filter, FilterKind } from '../../state/item_filters';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';

/** Computed once per content model, since every table cell needs it. */
const fieldsByModel = new WeakMap<ContentModel, Field[]>();

/** All item fields, each once, sorted by label. */
export function itemFields(): Field[] {
  const { model } = repository;
  const cached = fieldsByModel.get(model);
  if (cached) return cached;
  const all = Object.values(model.node_types).flatMap((type) => type.fields);
  const once = new Map(all.map((field) => [field.name, field]));
  const fields = [...once.values()].sort((a, b) => a.label.localeCompare(b.label));
  fieldsByModel.set(model, fields);
  return fields;
}

/** Sortable field types, beside references to terms. */
const SORTABLE = ['string', 'list_string', 'edtf', 'integer', 'boolean', 'timestamp'];

/** Fields that a list can be sorted by: by the first value, or the name of a term. */
export function sortableFields(): Field[] {
  return itemFields().filter(
    ({ name, type, target_type }) =>
      name.startsWith('field_') && (target_type ? target_type === 'taxonomy_term' : SORTABLE.includes(type)),
  );
}

/** The label of a field. */
export function fieldLabel(name: string): string {
  return itemFields().find((field) => field.name === name)?.label ?? name;
}

export async function findChoices(kind: FilterKind, text: string, signal: AbortSignal): Promise<Option[]> {
  if (kind === 'term') return findFilterTerms(text, signal);
  const wanted = text.trim().toLocaleLowerCase();
  return fieldChoices().filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
}

/** Fields that an item may have or lack. Base fields, such as the title, are excluded. */
function fieldChoices(): Option[] {
  return itemFields()
    .filter(({ name }) => name.startsWith('field_') || name === 'body')
    .map(({ name, label }) => ({ id: name, label }));
}

async function findFilterTerms(text: string, signal: AbortSignal): Promise<Option[]> {
  const terms = await findTermsByName([], text, signal);
  return terms.map((term) => {
    const { tid, name, vocabulary, uri = null } = term;
    cacheLabel({
      target_type: 'taxonomy_term',
      target_id: tid,
      label: name,
      bundle: vocabulary,
      uri,
      picture_url: null,
    });
    const vocabularyLabel = repository.model.vocabularies[vocabulary]?.label ?? '';
    const detail = [vocabularyLabel, uri ? shortUri(uri) : '', t.count.uses(term.uses)]
      .filter(Boolean)
      .join(' · ');
    return { id: String(tid), label: name, detail };
  });
}

/** The filter for an option. */
export function toFilter(kind: FilterKind, id: string): Filter {
  if (kind === 'date') return { kind, value: id };
  return kind === 'term' ? { kind, tid: Number(id) } : { kind, field: id };
}
