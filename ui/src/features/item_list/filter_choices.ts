/** Options of each kind of filter. */
import { cacheLabel } from '../../api/labels.svelte';
import { findTermsByName } from '../../fields/term_search';
import type { ContentModel, Field } from '../../api/types';
import { shortUri } from '../../fields/short_uri';
import type { Option } from '../../components/Combobox.svelte';
import { vocabulariesFor, type Filter, type FilterKind } from '../../state/item_filters';
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
  if (kind === 'language' || kind === 'subject' || kind === 'term')
    return findFilterTerms(kind, text, signal);
  const wanted = text.trim().toLocaleLowerCase();
  return fixedChoices(kind).filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
}

function fixedChoices(kind: FilterKind): Option[] {
  const { model } = repository;
  if (kind === 'model') return model.models.map(({ tid, name }) => ({ id: String(tid), label: name }));
  if (kind === 'media_type')
    return Object.entries(model.media_types).map(([id, { label }]) => ({ id, label }));
  if (kind === 'status')
    return [
      { id: '1', label: t.visibility.public },
      { id: '0', label: t.visibility.staff },
    ];
  // Base fields, such as the title, are excluded.
  return itemFields()
    .filter(({ name }) => name.startsWith('field_') || name === 'body')
    .map(({ name, label }) => ({ id: name, label }));
}

async function findFilterTerms(kind: FilterKind, text: string, signal: AbortSignal): Promise<Option[]> {
  const vocabularies = vocabulariesFor(kind, itemFields(), repository.model.field_roles);
  const terms = await findTermsByName(vocabularies, text, signal);
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
    const vocabularyLabel =
      vocabularies.length === 1 ? '' : (repository.model.vocabularies[vocabulary]?.label ?? '');
    const detail = [vocabularyLabel, uri ? shortUri(uri) : '', t.count.uses(term.uses)]
      .filter(Boolean)
      .join(' · ');
    return { id: String(tid), label: name, detail };
  });
}

/** The filter for an option. */
export function toFilter(kind: FilterKind, id: string): Filter {
  if (kind === 'media_type') return { kind, name: id };
  if (kind === 'date') return { kind, value: id };
  if (kind === 'status') return { kind, published: id === '1' };
  if (kind === 'has' || kind === 'lacks') return { kind, field: id };
  return { kind, tid: Number(id) };
}
