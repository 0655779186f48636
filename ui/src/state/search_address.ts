/**
 * What an address says of the list of items: where, narrowed by what, in which order. Its query is that of
 * `GET /api/v1/items`, so it can be kept and asked as it is.
 */
import type { SortKey, View } from '../api/types';

/** What the item list lists: a view, or a collection. */
export type ListScope = { view: View } | { collection: number };

/** A value of a facet that was chosen. */
export interface Choice {
  facet: string;
  value: string;
}

export interface Sorting {
  sort: SortKey;
  order: 'asc' | 'desc';
}

/** What narrows a list, and its order. */
export interface ListSearch {
  /** What was typed. */
  q: string;
  /** Whether words are found only as they are typed. */
  isExact: boolean;
  /** Several values of a facet mean any of them. */
  choices: Choice[];
  /** A date or an interval in EDTF; empty: any. */
  date: string;
  /** Terms that each item refers to, in any field. */
  terms: number[];
  /** Fields of which each item has a value, and those of which it has none. */
  has: string[];
  lacks: string[];
  /** Null: as such a list is usually ordered. */
  sorting: Sorting | null;
}

export interface SearchAddress extends ListSearch {
  /** Null: the address does not name it. */
  scope: ListScope | null;
  /** Whether everything below the collection is listed; null: only while searching by words. */
  below: boolean | null;
}

/** Nothing narrows the list. */
export const UNNARROWED: ListSearch = {
  q: '',
  isExact: false,
  choices: [],
  date: '',
  terms: [],
  has: [],
  lacks: [],
  sorting: null,
};

const VIEWS: View[] = ['all', 'unfiled', 'unpublished', 'without_original', 'recent', 'waiting'];
const SORTS = /^(title|created|changed|nid|weight|date|relevance|field_[a-z0-9_]+)$/;
/** What the server takes at once. */
const MAX_CHOICES = 100;
const MAX_VALUES = 10;

/** Reads the query of an address. What makes no sense is left out. */
export function parseSearchAddress(query: URLSearchParams): SearchAddress {
  const q = query.get('q') ?? '';
  const below = parseBelow(query.get('below'));
  return {
    scope: parseScope(query),
    // What is usual is not kept as a choice.
    below: below === true && q.trim() !== '' ? null : below,
    q,
    isExact: query.get('stems') === 'false',
    choices: unique(query.getAll('chosen'))
      .flatMap((words) => parseChoice(words) ?? [])
      .slice(0, MAX_CHOICES),
    date: query.get('date') ?? '',
    terms: list(query, 'term').flatMap((tid) => parseId(tid) ?? []),
    has: list(query, 'has'),
    lacks: list(query, 'lacks'),
    sorting: parseSorting(query),
  };
}

/** The query of an address, also of a request for the list. */
export function searchAddress(address: SearchAddress): URLSearchParams {
  const { scope, q, isExact, choices, date, terms, has, lacks, sorting } = address;
  const query = new URLSearchParams();
  if (scope && 'collection' in scope) query.set('collection', String(scope.collection));
  else if (scope && scope.view !== 'all') query.set('view', scope.view);
  const below = address.below ?? (scope && 'collection' in scope && q.trim() !== '' ? true : null);
  if (below !== null) query.set('below', String(below));
  if (q !== '') query.set('q', q);
  if (isExact) query.set('stems', 'false');
  for (const choice of choices) query.append('chosen', chosenValue(choice));
  if (date !== '') query.set('date', date);
  if (terms.length > 0) query.set('term', terms.join(','));
  if (has.length > 0) query.set('has', has.join(','));
  if (lacks.length > 0) query.set('lacks', lacks.join(','));
  if (sorting) {
    query.set('sort', sorting.sort);
    query.set('order', sorting.order);
  }
  return query;
}

/** A choice as the parameter `chosen` names it. */
export function chosenValue({ facet, value }: Choice): string {
  return `${facet}:${value}`;
}

function parseChoice(words: string): Choice | null {
  const colon = words.indexOf(':');
  const [facet, value] = [words.slice(0, Math.max(colon, 0)), words.slice(colon + 1)];
  return facet !== '' && value !== '' ? { facet, value } : null;
}

function parseScope(query: URLSearchParams): ListScope | null {
  const collection = parseId(query.get('collection'));
  if (collection !== null) return { collection };
  const view = VIEWS.find((name) => name === query.get('view'));
  return view ? { view } : null;
}

/** Earlier addresses had numbers. */
function parseBelow(below: string | null): boolean | null {
  if (below === 'true' || below === '1') return true;
  return below === 'false' || below === '0' ? false : null;
}

function parseSorting(query: URLSearchParams): Sorting | null {
  const sort = query.get('sort') ?? '';
  if (!SORTS.test(sort)) return null;
  return { sort: sort as SortKey, order: query.get('order') === 'desc' ? 'desc' : 'asc' };
}

function list(query: URLSearchParams, name: string): string[] {
  const values = query.getAll(name).flatMap((value) => value.split(','));
  return unique(values.filter((value) => value !== '')).slice(0, MAX_VALUES);
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

/** A number of a resource. */
export function parseId(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}

/** Whether two queries ask for the same list. */
export function isSameSearch(some: string, others: string): boolean {
  const [a, b] = [some, others].map((query) => {
    const address = parseSearchAddress(new URLSearchParams(query));
    const choices = [...address.choices].sort((a, b) => (chosenValue(a) < chosenValue(b) ? -1 : 1));
    return searchAddress({ ...address, choices }).toString();
  });
  return a === b;
}
