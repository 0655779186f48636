import type { ItemQuery } from '../api/types';
import { Arrangement } from './arrangement';
import { ItemRows } from './item_rows';
import type { ListScope } from './route';

/** The item list that is displayed, for actions on its order or on all its items. */
class CurrentList {
  rows: ItemRows = $state.raw(ItemRows.EMPTY);
  query: ItemQuery | null = $state.raw(null);
  /** What is listed, also where the address names only an item. */
  scope: ListScope | null = $state.raw(null);
  /** Whether the user may create items in what is listed, where roles in collections decide. */
  mayAdd = $state(false);
  arrangement: Arrangement = $state.raw(Arrangement.NONE);
  /** An item that the user has moved within the list: the list scrolls to it. */
  movedItem: number | null = $state(null);

  set(list: Pick<CurrentList, 'rows' | 'query' | 'arrangement'>): void {
    [this.rows, this.query, this.arrangement] = [list.rows, list.query, list.arrangement];
  }

  /** The title of a listed item; empty where it is not loaded. */
  titleOf(nid: number | undefined): string {
    const index = nid === undefined ? -1 : this.rows.indexOf(nid);
    return (index >= 0 && this.rows.at(index)?.title) || '';
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
