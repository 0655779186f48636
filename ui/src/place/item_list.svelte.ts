import type { ItemQuery, SortKey } from '../api/types';
import { Remembered } from '../parts/remember.svelte';
import { columns } from './columns.svelte';
import { askedBy, withFilter, withoutFilter, type Filter } from './filters';
import type { Place } from './route';

interface Sorting {
  sort: SortKey;
  order: 'asc' | 'desc';
}

const BY_PLACE: Record<string, Sorting> = {
  recent: { sort: 'changed', order: 'desc' },
  collection: { sort: 'title', order: 'asc' },
  other: { sort: 'changed', order: 'desc' },
};

/** Sorting and look of the item list, kept for each kind of place. */
class ItemList {
  readonly #sortings = new Remembered<Record<string, Sorting>>('sortings', {});
  readonly view = new Remembered<'grid' | 'table'>('view', 'grid');
  /** Least width of a card in rem; null is what suits the screen. */
  readonly cardWidth = new Remembered<number | null>('card-width', null);
  search = $state('');
  filters: Filter[] = $state.raw([]);

  sorting(place: Place): Sorting {
    const kind = kindOf(place);
    return this.#sortings.value[kind] ?? BY_PLACE[kind] ?? { sort: 'changed', order: 'desc' };
  }

  sortBy(place: Place, sorting: Sorting): void {
    this.#sortings.value = { ...this.#sortings.value, [kindOf(place)]: sorting };
  }

  query(place: Place): ItemQuery {
    const where =
      'collection' in place ? { view: 'all' as const, collection: place.collection } : { view: place.view };
    return {
      ...where,
      ...this.sorting(place),
      q: this.search.trim() || undefined,
      ...askedBy(this.filters),
      // Thumbnails need no fields; the table does.
      fields: this.view.value === 'table' ? columns.fields || undefined : undefined,
    };
  }

  narrow(filter: Filter): void {
    this.filters = withFilter(this.filters, filter);
  }

  widen(filter: Filter): void {
    this.filters = withoutFilter(this.filters, filter);
  }

  get filtered(): boolean {
    return this.search.trim() !== '' || this.filters.length > 0;
  }

  /** A new place is entered without the filters of the last one. */
  clearFilters(): void {
    this.search = '';
    this.filters = [];
  }
}

function kindOf(place: Place): string {
  if ('collection' in place) return 'collection';
  return place.view === 'recent' ? 'recent' : 'other';
}

export const itemList = new ItemList();
