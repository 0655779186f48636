import type { Description } from './description';
import type { ExportSource } from './export_source';
import type { ListScope } from './route';

/** A table that was dropped. */
export interface DroppedTable {
  name: string;
  bytes: Blob;
  /** The folder of the machine with the files of its rows; null: they are in the bytes, or there are none. */
  folder: string | null;
}

/** A table that is imported; null: one that the user chooses. */
export interface TableSource {
  title: string;
  /** What new items become members of; null: of nothing. */
  collection: number | null;
  table: { name: string; bytes: Blob } | null;
  /** What was dropped, in place of what the user would choose. */
  dropped?: DroppedTable;
}

/** The dialog that is open; at most one is. */
export type OpenDialog =
  | { kind: 'item'; parent: number | null }
  | { kind: 'collection'; parent: number | null }
  | { kind: 'erase-items'; nids: number[] }
  /** `from` is the collection that the items are moved out of; null in a view. */
  | {
      kind: 'move';
      nids: number[];
      from: number | null;
      target?: { nid: number | null; title: string };
      keeps?: boolean;
    }
  /** Gives values to items. */
  | { kind: 'description'; nids: number[]; description: Description }
  /** The defaults for new items of a collection. */
  | { kind: 'defaults'; nid: number; title: string }
  | { kind: 'save-template'; nid: number }
  | { kind: 'apply-template'; nids: number[] }
  | { kind: 'columns' }
  /** Chooses the field that a list is sorted by. */
  | { kind: 'sort'; scope: ListScope }
  /** A change of many, in progress or ended. */
  | { kind: 'batch'; id: number; title?: string }
  /** Saves what the list is asked for. */
  | { kind: 'save-search' }
  /** Writes items as a table. */
  | { kind: 'export'; sources: ExportSource[] }
  /** Makes and changes items by a table. */
  | { kind: 'import-table'; source: TableSource }
  /** Shares an item with people without an account. */
  | { kind: 'share'; nid: number }
  /** Assigns items to somebody. */
  | { kind: 'assign'; nids: number[] }
  /** Saves an item with everything below it. */
  | { kind: 'save-bag'; nid: number; title: string }
  /** Brings the items of a bag. */
  | { kind: 'import-bag'; collection: number | null }
  /** Brings the content of another site. */
  | { kind: 'import' }
  | { kind: 'keys' }
  | { kind: 'palette' };

class Dialogs {
  open: OpenDialog | null = $state.raw(null);

  close(): void {
    this.open = null;
  }
}

export const dialogs = new Dialogs();
