import type { Place } from '../place/route';

/** The one dialog that may be open. */
export type OpenDialog =
  | { kind: 'item'; parent: number | null }
  | { kind: 'collection'; parent: number | null }
  | { kind: 'erase-items'; nids: number[] }
  /** `from` is the collection they are taken out of; null where they stand in a view. */
  | { kind: 'move'; nids: number[]; from: number | null }
  | { kind: 'columns' }
  /** By which field a list is sorted. */
  | { kind: 'sort'; place: Place }
  | { kind: 'keys' }
  | { kind: 'palette' };

class Dialogs {
  open: OpenDialog | null = $state.raw(null);

  close(): void {
    this.open = null;
  }
}

export const dialogs = new Dialogs();
