import type { Field, Item } from '../../../api/types';
import { fieldType } from '../../../fields/registry';
import { mayPublish } from '../../../state/permissions';
import { repository } from '../../../state/repository.svelte';
import { tableColumns } from '../../../state/table_columns.svelte';

/** An editor over a cell. */
export interface EditedCell {
  nid: number;
  index: number;
  field: Field;
  /** What was typed before the editor had the focus; null where nothing was. */
  typed: string | null;
  /** Where it is left to as soon as that is taken. */
  move?: CellMove;
}

/** Where an editor is left to. */
export type CellMove = 'down' | 'next' | 'previous' | null;

/** The cell of the table that the keys act on. The row stands in the selection. */
class CellCursor {
  /** Its column; null: the keys act on the whole row. */
  column: string | null = $state(null);
  /** The last column of a block of cells; null: one column. */
  end: string | null = $state(null);
  editing: EditedCell | null = $state.raw(null);

  /** The columns of the block, from left to right. */
  get columns(): string[] {
    const ids = tableColumns.all.map(({ id }) => id);
    const [from, to] = [this.column, this.end ?? this.column].map((id) => ids.indexOf(id ?? ''));
    if (from === undefined || to === undefined || from < 0 || to < 0) return [];
    return ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  set(column: string | null): void {
    [this.column, this.end] = [column, null];
  }

  /** Goes to a column beside; left of the first one is the whole row. Answers whether there is one. */
  step(by: number): boolean {
    const ids = tableColumns.all.map(({ id }) => id);
    const to = ids.indexOf(this.column ?? '') + by;
    if (to >= ids.length) return false;
    this.set(ids[to] ?? null);
    return true;
  }

  /** Makes the block wider or narrower. */
  extend(by: number): void {
    const ids = tableColumns.all.map(({ id }) => id);
    const to = ids[ids.indexOf(this.end ?? this.column ?? '') + by];
    if (to !== undefined) this.end = to;
  }
}

export const cellCursor = new CellCursor();

/** The field whose values a column has; undefined where it has none. */
export function columnField(column: string): string | undefined {
  const { field_roles: roles } = repository.model;
  const own: Record<string, string | undefined> = {
    title: 'title',
    status: 'status',
    date: roles.date,
    model: roles.model,
    weight: roles.weight,
  };
  return column.startsWith('field_') || column === 'body' ? column : own[column];
}

/** The field that is edited in a cell; undefined where its values cannot be changed. */
export function editableField(item: Item, column: string): Field | undefined {
  const name = columnField(column);
  if (!item.may.update || (name === 'status' && !mayPublish())) return undefined;
  const field = repository.model.node_types[item.type]?.fields.find((one) => one.name === name);
  return field && fieldType(field.type) && !field.derived ? field : undefined;
}

/** The next column whose cell can be edited, in one direction. */
export function editableBeside(item: Item, column: string, by: 1 | -1): string | undefined {
  const ids = tableColumns.all.map(({ id }) => id);
  for (let at = ids.indexOf(column) + by; at >= 0 && at < ids.length; at += by) {
    const id = ids[at];
    if (id !== undefined && editableField(item, id)) return id;
  }
  return undefined;
}
