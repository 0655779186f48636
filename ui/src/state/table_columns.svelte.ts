import { LocalSetting } from './local_setting.svelte';

/** A table column: one of `OWN_COLUMNS`, or the name of a field. */
export interface Column {
  id: string;
  /** Width in rem, so that it grows with the user's font size; null: the remaining width. */
  width: number | null;
}

/** Columns that are no fields. */
export const OWN_COLUMNS = [
  'title',
  'date',
  'model',
  'status',
  'changed',
  'created',
  'nid',
  'members',
  'media_count',
  'mime',
  'weight',
] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

const DEFAULT_COLUMNS: Column[] = [
  { id: 'title', width: null },
  { id: 'date', width: 10 },
  { id: 'model', width: 4 },
  { id: 'status', width: 7.5 },
  { id: 'changed', width: 6 },
];
const WIDTHS: Partial<Record<OwnColumn, number>> = {
  model: 4,
  nid: 5,
  members: 5,
  media_count: 5,
  weight: 5,
};
export const WIDTH_LIMITS = [3, 40] as const;
/** Minimum width of the title, which takes the remaining width. */
export const MIN_TITLE_WIDTH = 12;

export function isOwnColumn(id: string): id is OwnColumn {
  return (OWN_COLUMNS as readonly string[]).includes(id);
}

/** Moves an entry of a list to another index, within its bounds. */
export function moveEntry<T>(list: T[], from: number, to: number): T[] {
  const at = Math.max(0, Math.min(list.length - 1, to));
  if (from < 0 || from === at) return list;
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken !== undefined) next.splice(at, 0, taken);
  return next;
}

/** The visible table columns with their order and widths, stored in this browser. */
class TableColumns {
  readonly #stored = new LocalSetting<Column[]>('columns', DEFAULT_COLUMNS);

  get all(): Column[] {
    const stored = this.#stored.value;
    return Array.isArray(stored) && stored.length > 0 ? stored : DEFAULT_COLUMNS;
  }

  /** Names of the fields that the list has to request. */
  get fields(): string {
    return this.all
      .map(({ id }) => id)
      .filter((id) => !isOwnColumn(id))
      .sort()
      .slice(0, 30)
      .join(',');
  }

  has(id: string): boolean {
    return this.all.some((column) => column.id === id);
  }

  add(id: string): void {
    if (this.has(id)) return;
    const width = isOwnColumn(id) ? (WIDTHS[id] ?? 8) : 10;
    this.#stored.value = [...this.all, { id, width: id === 'title' ? null : width }];
  }

  /** Removes a column, unless it is the last one. */
  remove(id: string): void {
    const rest = this.all.filter((column) => column.id !== id);
    if (rest.length > 0) this.#stored.value = rest;
  }

  move(id: string, to: number): void {
    const from = this.all.findIndex((column) => column.id === id);
    this.#stored.value = moveEntry(this.all, from, to);
  }

  resize(id: string, width: number): void {
    const [min, max] = WIDTH_LIMITS;
    const stored = Math.round(Math.min(max, Math.max(min, width)) * 8) / 8;
    this.#stored.value = this.all.map((column) => (column.id === id ? { ...column, width: stored } : column));
  }

  reset(): void {
    this.#stored.value = DEFAULT_COLUMNS;
  }
}

export const tableColumns = new TableColumns();
