import type { ItemQuery } from '../api/types';
import { Rows } from './rows';

/** The list that stands in the middle, for acts that are about its order or about all of it. */
class ShownList {
  rows: Rows = $state.raw(Rows.NONE);
  query: ItemQuery | null = $state.raw(null);

  show(rows: Rows, query: ItemQuery | null): void {
    [this.rows, this.query] = [rows, query];
  }

  /** Whether members stand in the order that somebody has given them. */
  get byHand(): boolean {
    const { query } = this;
    return query?.collection !== undefined && query.sort === 'weight' && query.order === 'asc';
  }
}

export const shownList = new ShownList();
