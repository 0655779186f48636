import { Remembered } from '../parts/remember.svelte';

/** A column of the table: one of our own, or a field of the content model by its name. */
export interface Column {
  id: string;
  /** Width in rem, so that it grows with the reader's text; null where the column takes what is left. */
  width: number | null;
}

/** Columns that every item has something for. */
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

const USUAL: Column[] = [
  { id: 'title', width: null },
  { id: 'date', width: 8 },
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
export const LIMITS = [3, 40] as const;
/** The title takes what is left, but not less than this. */
export const LEAST_TITLE = 12;

export function isOwn(id: string): id is OwnColumn {
  return (OWN_COLUMNS as readonly string[]).includes(id);
}

/** The list with an entry moved by some places, within its bounds. */
export function shifted<T>(list: T[], from: number, to: number): T[] {
  const at = Math.max(0, Math.min(list.length - 1, to));
  if (from < 0 || from === at) return list;
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken !== undefined) next.splice(at, 0, taken);
  return next;
}

/** The columns of the table, in their order and with their widths, kept for the next time. */
class Columns {
  readonly #kept = new Remembered<Column[]>('columns', USUAL);

  get all(): Column[] {
    const kept = this.#kept.value;
    return Array.isArray(kept) && kept.length > 0 ? kept : USUAL;
  }

  /** The names of the fields whose values the server has to tell. */
  get fields(): string {
    return this.all
      .map(({ id }) => id)
      .filter((id) => !isOwn(id))
      .sort()
      .slice(0, 30)
      .join(',');
  }

  has(id: string): boolean {
    return this.all.some((column) => column.id === id);
  }

  add(id: string): void {
    if (this.has(id)) return;
    const width = isOwn(id) ? (WIDTHS[id] ?? 8) : 10;
    this.#kept.value = [...this.all, { id, width: id === 'title' ? null : width }];
  }

  /** The last column stays. */
  remove(id: string): void {
    const rest = this.all.filter((column) => column.id !== id);
    if (rest.length > 0) this.#kept.value = rest;
  }

  /** Moves a column to a place among the others. */
  move(id: string, to: number): void {
    const from = this.all.findIndex((column) => column.id === id);
    this.#kept.value = shifted(this.all, from, to);
  }

  resize(id: string, width: number): void {
    const [least, most] = LIMITS;
    const kept = Math.round(Math.min(most, Math.max(least, width)) * 8) / 8;
    this.#kept.value = this.all.map((column) => (column.id === id ? { ...column, width: kept } : column));
  }

  reset(): void {
    this.#kept.value = USUAL;
  }
}

export const columns = new Columns();
