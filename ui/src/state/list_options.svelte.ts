import type { SearchWords } from '../api/passages';
import type { ItemQuery, SortKey } from '../api/types';
import { LocalSetting } from './local_setting.svelte';
import { tableColumns } from './table_columns.svelte';
import { filterQuery, withFilter, withoutFilter, type Filter } from './item_filters';
import { navigation } from './navigation.svelte';
import type { ListScope } from './route';

interface Sorting {
  sort: SortKey;
  order: 'asc' | 'desc';
}

const DEFAULT_SORTINGS: Record<string, Sorting> = {
  recent: { sort: 'changed', order: 'desc' },
  collection: { sort: 'title', order: 'asc' },
  paged: { sort: 'weight', order: 'asc' },
  found: { sort: 'relevance', order: 'desc' },
  other: { sort: 'changed', order: 'desc' },
};

/** Sorting, view, search and filters of the item list. Sorting is stored per kind of scope, and for what is found. */
class ListOptions {
  readonly #sortings = new LocalSetting<Record<string, Sorting>>('sortings', {});
  readonly view = new LocalSetting<'grid' | 'table'>('view', 'grid');
  /** Minimum width of a card in rem; null: default. */
  readonly cardWidth = new LocalSetting<number | null>('card-width', null);
  /** The item whose pages or parts are listed; null: none. They have an order of their own. */
  pagedItem: number | null = $state(null);
  /** Number of times that the user has sorted a list, also by what it was sorted by. */
  sortings = $state(0);
  search = $state('');
  filters: Filter[] = $state.raw([]);

  sorting(scope: ListScope): Sorting {
    const kind = this.scopeKind(scope);
    return this.#sortings.value[kind] ?? DEFAULT_SORTINGS[kind] ?? { sort: 'changed', order: 'desc' };
  }

  sortBy(scope: ListScope, sorting: Sorting): void {
    this.sortings += 1;
    this.#sortings.value = { ...this.#sortings.value, [this.scopeKind(scope)]: sorting };
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
    const where =
      'collection' in scope ? { view: 'all' as const, collection: scope.collection } : { view: scope.view };
    return {
      ...where,
      below: this.below(scope) || undefined,
      ...this.sorting(scope),
      q: this.search.trim() || undefined,
      stems: this.words?.isExact ? false : undefined,
      ...filterQuery(this.filters),
      // Only the table displays fields.
      fields: this.view.value === 'table' ? tableColumns.fields || undefined : undefined,
    };
  }

  addFilter(filter: Filter): void {
    this.filters = withFilter(this.filters, filter);
  }

  removeFilter(filter: Filter): void {
    this.filters = withoutFilter(this.filters, filter);
  }

  /** What is looked for; null: nothing. */
  get words(): SearchWords | null {
    return this.searching ? { q: this.search.trim(), isExact: navigation.browse.search.isExact } : null;
  }

  /** Finds words only as they are typed, or also by their stems and beginnings. */
  findExactly(isExact: boolean): void {
    const { browse } = navigation;
    navigation.replace({ ...browse, search: { ...browse.search, isExact } });
  }

  get searching(): boolean {
    return this.search.trim() !== '';
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

  /** Call this when another scope is opened. */
  clearFilters(): void {
    this.search = '';
    this.filters = [];
  }
}

export const listOptions = new ListOptions();
