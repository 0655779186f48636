import type { ItemQuery } from '../api/types';
import { Rows } from './rows';

/** The list that stands in the middle, for acts that are about its order or about all of it. */
class ShownList {
  rows: Rows = $state.raw(Rows.NONE);
  query: ItemQuery | null = $state.raw(null);
  /** An item that somebody has just put elsewhere in the list: it is to be brought into view. */
  moved: number | null = $state(null);

  show(rows: Rows, query: ItemQuery | null): void {
    [this.rows, this.query] = [rows, query];
  }

  /** To be told when somebody has changed a field of an item: where the list is sorted by it, the item has moved. */
  changed(nid: number, field: string): void {
    if (this.query?.sort === field) this.moved = nid;
  }

  /** Whether members stand in the order that somebody has given them. */
  get byHand(): boolean {
    const { query } = this;
    return query?.collection !== undefined && query.sort === 'weight' && query.order === 'asc';
  }
}

export const shownList = new ShownList();
