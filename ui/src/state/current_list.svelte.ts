import type { ItemQuery } from '../api/types';
import { ItemRows } from './item_rows';
import type { ListScope } from './route';

/** The item list that is displayed, for actions on its order or on all its items. */
class CurrentList {
  rows: ItemRows = $state.raw(ItemRows.EMPTY);
  query: ItemQuery | null = $state.raw(null);
  /** What is listed, also where the address names only an item. */
  scope: ListScope | null = $state.raw(null);
  /** An item that the user has moved within the list: the list scrolls to it. */
  movedItem: number | null = $state(null);

  set(rows: ItemRows, query: ItemQuery | null): void {
    [this.rows, this.query] = [rows, query];
  }

  /** Call this after a field of an item was changed: in a list sorted by that field, the item moves. */
  itemChanged(nid: number, field: string): void {
    if (this.query?.sort === field) this.movedItem = nid;
  }

  /** Whether the list is in manual order. */
  get isManuallyOrdered(): boolean {
    const { query } = this;
    return (
      query?.collection !== undefined && !query.below && query.sort === 'weight' && query.order === 'asc'
    );
  }
}

export const currentList = new CurrentList();
