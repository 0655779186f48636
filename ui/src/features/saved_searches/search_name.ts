import { labelOf } from '../../api/labels.svelte';
import { describeEdtf } from '../../fields/edtf_text';
import { collectionTree } from '../../state/collection_tree.svelte';
import type { Choice, ListScope, ListSearch } from '../../state/search_address';
import { t } from '../../texts';

/** Maximum length of a name, in characters. */
export const MAX_NAME = 100;

/** A name for a search: what was typed and chosen, and otherwise where it lists. */
export function proposeName(search: ListSearch, scope: ListScope | null): string {
  const words = [
    search.q.trim(),
    ...search.choices.map(choiceLabel),
    search.date && (describeEdtf(search.date) ?? search.date),
    ...search.terms.map((tid) => labelOf('taxonomy_term', tid)?.label ?? ''),
  ].filter((word) => word !== '');
  const name = words.length > 0 ? words.join(' · ') : placeName(scope);
  return [...name].slice(0, MAX_NAME).join('').trim();
}

function choiceLabel({ facet, value }: Choice): string {
  if (!/^\d+$/.test(value)) return value;
  const type = facet === 'collection' || facet === 'part_of' ? 'node' : 'taxonomy_term';
  return labelOf(type, Number(value))?.label ?? '';
}

function placeName(scope: ListScope | null): string {
  if (!scope) return '';
  if ('view' in scope) return t.places[scope.view];
  return collectionTree.find(scope.collection)?.title ?? labelOf('node', scope.collection)?.label ?? '';
}
