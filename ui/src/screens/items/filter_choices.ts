/** What can be chosen in a filter of each kind, found as somebody types. */
import { learn } from '../../api/labels.svelte';
import { listTerms } from '../../api/read';
import type { ContentModel, Field } from '../../api/types';
import { shortUri } from '../../fields/short_uri';
import type { Option } from '../../parts/Combobox.svelte';
import { vocabulariesFor, type Filter, type FilterKind } from '../../place/filters';
import { repository } from '../../place/repository.svelte';
import { t } from '../../texts';

/** Every cell of a table asks: worked out once for each content model. */
const fieldsOf = new WeakMap<ContentModel, Field[]>();

/** The fields of items, each once, by their labels. */
export function itemFields(): Field[] {
  const { model } = repository;
  const known = fieldsOf.get(model);
  if (known) return known;
  const all = Object.values(model.node_types).flatMap((type) => type.fields);
  const once = new Map(all.map((field) => [field.name, field]));
  const fields = [...once.values()].sort((a, b) => a.label.localeCompare(b.label));
  fieldsOf.set(model, fields);
  return fields;
}

/** Types whose values have an order, beside references to terms. */
const SORTABLE = ['string', 'list_string', 'edtf', 'integer', 'boolean', 'timestamp'];

/** The fields that a list can be sorted by: of several values the first counts, of a term its name. */
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
  if (kind === 'language' || kind === 'subject' || kind === 'term') return findTerms(kind, text, signal);
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
      { id: '1', label: t.items.published },
      { id: '0', label: t.items.unpublished },
    ];
  // Base fields, such as the title, are no fields of the model that lists know.
  return itemFields()
    .filter(({ name }) => name.startsWith('field_') || name === 'body')
    .map(({ name, label }) => ({ id: name, label }));
}

async function findTerms(kind: FilterKind, text: string, signal: AbortSignal): Promise<Option[]> {
  const vocabularies = vocabulariesFor(kind, itemFields());
  const { terms } = await listTerms(vocabularies, text, 20, null, signal);
  return terms.map((term) => {
    const { tid, name, vocabulary, uri = null } = term;
    learn({
      target_type: 'taxonomy_term',
      target_id: tid,
      label: name,
      bundle: vocabulary,
      uri,
      picture_url: null,
    });
    const home = vocabularies.length === 1 ? '' : (repository.model.vocabularies[vocabulary]?.label ?? '');
    const detail = [home, uri ? shortUri(uri) : '', t.count.uses(term.uses)].filter(Boolean).join(' · ');
    return { id: String(tid), label: name, detail };
  });
}

/** The filter that a choice stands for. */
export function filterOf(kind: FilterKind, id: string): Filter {
  if (kind === 'media_type') return { kind, name: id };
  if (kind === 'date') return { kind, value: id };
  if (kind === 'status') return { kind, published: id === '1' };
  if (kind === 'has' || kind === 'lacks') return { kind, field: id };
  return { kind, tid: Number(id) };
}
