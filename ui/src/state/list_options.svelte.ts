import type { SearchWords } from '../api/passages';
import type { ItemQuery } from '../api/types';
import { LocalSetting } from './local_setting.svelte';
import { tableColumns } from './table_columns.svelte';
import { filtersOf, withFilter, withoutFilter, withoutFilters, type Filter } from './item_filters';
import { navigation } from './navigation.svelte';
import { chosenValue, UNNARROWED, type ListScope, type ListSearch, type Sorting } from './search_address';

const DEFAULT_SORTINGS: Record<string, Sorting> = {
  recent: { sort: 'changed', order: 'desc' },
  collection: { sort: 'title', order: 'asc' },
  paged: { sort: 'weight', order: 'asc' },
  found: { sort: 'relevance', order: 'desc' },
  other: { sort: 'changed', order: 'desc' },
};

/**
 * Sorting, view, search and filters of the item list. What narrows it stands in the address; sorting is also stored for
 * each kind of scope, and for what words find.
 */
class ListOptions {
  readonly #sortings = new LocalSetting<Record<string, Sorting>>('sortings', {});
  readonly view = new LocalSetting<'grid' | 'table'>('view', 'grid');
  /** Minimum width of a card in rem; null: default. */
  readonly cardWidth = new LocalSetting<number | null>('card-width', null);
  /** The item whose pages or parts are listed; null: none. They have an order of their own. */
  pagedItem: number | null = $state(null);
  /** Number of times that the user has sorted a list, also by what it was sorted by. */
  sortings = $state(0);

  /** What narrows the list. */
  get search(): ListSearch {
    return navigation.browse.search;
  }

  /** What was typed. */
  get words(): string {
    return this.search.q.trim();
  }

  get filters(): Filter[] {
    return filtersOf(this.search);
  }

  sorting(scope: ListScope): Sorting {
    const kind = this.scopeKind(scope);
    const { sorting } = this.search;
    // Without words nothing fits better than anything else.
    if (sorting && (sorting.sort !== 'relevance' || this.searching)) return sorting;
    return this.#sortings.value[kind] ?? DEFAULT_SORTINGS[kind] ?? { sort: 'changed', order: 'desc' };
  }

  sortBy(scope: ListScope, sorting: Sorting): void {
    this.sortings += 1;
    this.#sortings.value = { ...this.#sortings.value, [this.scopeKind(scope)]: sorting };
    navigation.narrow(scope, { ...this.search, sorting }, false);
  }

  /** Whether everything below the collection is listed: while searching, unless the user chose otherwise. */
  below(scope: ListScope): boolean {
    return 'collection' in scope && (navigation.browse.below ?? this.searching);
  }

  /** Lists everything below the collection, or its direct members only. What is usual is not kept as a choice. */
  showBelow(scope: ListScope, below: boolean): void {
    navigation.showBelow(scope, below === this.searching ? null : below);
  }

  query(scope: ListScope): ItemQuery {
    const { choices, date, terms, has, lacks } = this.search;
    const where =
      'collection' in scope ? { view: 'all' as const, collection: scope.collection } : { view: scope.view };
    return {
      ...where,
      below: this.below(scope) || undefined,
      ...this.sorting(scope),
      q: this.words || undefined,
      stems: this.searchWords?.isExact ? false : undefined,
      chosen: choices.length > 0 ? choices.map(chosenValue) : undefined,
      date: date || undefined,
      term: terms.join(',') || undefined,
      has: has.join(',') || undefined,
      lacks: lacks.join(',') || undefined,
      // Only the table displays fields.
      fields: this.view.value === 'table' ? tableColumns.fields || undefined : undefined,
    };
  }

  /** Searches by words, while they are typed. */
  type(scope: ListScope, q: string): void {
    navigation.narrow(scope, { ...this.search, q }, false);
  }

  /** Searches by other words, as a step of its own. */
  searchFor(scope: ListScope, q: string): void {
    navigation.narrow(scope, { ...this.search, q }, true);
  }

  /** Chooses a time; empty: any. */
  chooseDate(scope: ListScope, date: string): void {
    navigation.narrow(scope, { ...this.search, date }, true);
  }

  /** Chooses what a suggestion names, in place of what was typed. */
  takeSuggestion(scope: ListScope, filter: Filter): void {
    navigation.narrow(scope, withFilter({ ...this.search, q: '' }, filter), true);
  }

  addFilter(scope: ListScope, filter: Filter): void {
    navigation.narrow(scope, withFilter(this.search, filter), true);
  }

  removeFilter(scope: ListScope, filter: Filter): void {
    navigation.narrow(scope, withoutFilter(this.search, filter), true);
  }

  clearFilters(scope: ListScope): void {
    navigation.narrow(scope, withoutFilters(this.search), true);
  }

  /** Takes away all that narrows the list. */
  clear(scope: ListScope): void {
    navigation.narrow(scope, { ...UNNARROWED, sorting: this.search.sorting }, true);
  }

  /** Chooses a value of a facet, or takes the choice back. */
  toggle(scope: ListScope, filter: Filter): void {
    if (this.isChosen(filter)) this.removeFilter(scope, filter);
    else this.addFilter(scope, filter);
  }

  isChosen(filter: Filter): boolean {
    return this.filters.some((one) => JSON.stringify(one) === JSON.stringify(filter));
  }

  /** What is looked for; null: nothing. */
  get searchWords(): SearchWords | null {
    return this.searching ? { q: this.words, isExact: this.search.isExact } : null;
  }

  /** Finds words only as they are typed, or also by their stems and beginnings. */
  findExactly(scope: ListScope, isExact: boolean): void {
    navigation.narrow(scope, { ...this.search, isExact }, true);
  }

  get searching(): boolean {
    return this.words !== '';
  }

  get filtered(): boolean {
    return this.searching || this.filters.length > 0;
  }

  private scopeKind(scope: ListScope): string {
    if ('collection' in scope && scope.collection === this.pagedItem) return 'paged';
    if (this.searching) return 'found';
    if ('collection' in scope) return 'collection';
    return scope.view === 'recent' ? 'recent' : 'other';
  }
}

export const listOptions = new ListOptions();
