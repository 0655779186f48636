/** What narrows the item list, one by one: each is a chip above it. */
import { chosenValue, type Choice, type ListSearch } from './search_address';

export type Filter =
  | ({ kind: 'choice' } & Choice)
  /** A date or an interval in EDTF. */
  | { kind: 'date'; value: string }
  | { kind: 'term'; tid: number }
  | { kind: 'has' | 'lacks'; field: string };

/** Kinds of filters that are no choice of a facet. */
export type FilterKind = Exclude<Filter['kind'], 'choice'>;

export const FILTER_KINDS: FilterKind[] = ['date', 'term', 'has', 'lacks'];

/** The filters of a list: choices first, facet by facet. */
export function filtersOf({ choices, date, terms, has, lacks }: ListSearch): Filter[] {
  const facets = [...new Set(choices.map(({ facet }) => facet))];
  const byFacet = facets.flatMap((facet) => choices.filter((choice) => choice.facet === facet));
  return [
    ...byFacet.map((choice): Filter => ({ kind: 'choice', ...choice })),
    ...(date === '' ? [] : [{ kind: 'date' as const, value: date }]),
    ...terms.map((tid): Filter => ({ kind: 'term', tid })),
    ...has.map((field): Filter => ({ kind: 'has', field })),
    ...lacks.map((field): Filter => ({ kind: 'lacks', field })),
  ];
}

/** Adds a filter. There can be only one date. */
export function withFilter(search: ListSearch, filter: Filter): ListSearch {
  const rest = withoutFilter(search, filter);
  switch (filter.kind) {
    case 'choice':
      return { ...rest, choices: [...rest.choices, { facet: filter.facet, value: filter.value }] };
    case 'date':
      return { ...rest, date: filter.value };
    case 'term':
      return { ...rest, terms: [...rest.terms, filter.tid] };
    default:
      return { ...rest, [filter.kind]: [...rest[filter.kind], filter.field] };
  }
}

export function withoutFilter(search: ListSearch, filter: Filter): ListSearch {
  switch (filter.kind) {
    case 'choice':
      return {
        ...search,
        choices: search.choices.filter((one) => chosenValue(one) !== chosenValue(filter)),
      };
    case 'date':
      return { ...search, date: '' };
    case 'term':
      return { ...search, terms: search.terms.filter((tid) => tid !== filter.tid) };
    default:
      return { ...search, [filter.kind]: search[filter.kind].filter((field) => field !== filter.field) };
  }
}

/** Nothing but the order and what was typed. */
export function withoutFilters(search: ListSearch): ListSearch {
  return { ...search, choices: [], date: '', terms: [], has: [], lacks: [] };
}
