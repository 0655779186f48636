/** Filters of the item list, and their query parameters. */
import type { Field, FieldRoles, ItemQuery } from '../api/types';

export type Filter =
  | { kind: 'model'; tid: number }
  | { kind: 'media_type'; name: string }
  /** A date or an interval in EDTF. */
  | { kind: 'date'; value: string }
  | { kind: 'language' | 'subject' | 'term'; tid: number }
  | { kind: 'status'; published: boolean }
  | { kind: 'has' | 'lacks'; field: string };

export type FilterKind = Filter['kind'];

export const FILTER_KINDS: FilterKind[] = [
  'model',
  'media_type',
  'date',
  'language',
  'subject',
  'term',
  'status',
  'has',
  'lacks',
];

/** Filters of these kinds can be combined; a filter of another kind replaces the former one. */
const MULTIPLE: FilterKind[] = ['language', 'subject', 'term', 'has', 'lacks'];
/** Maximum number of terms, and of fields, in one query. */
const MAX_VALUES = 10;

/** Adds a filter. */
export function withFilter(filters: Filter[], filter: Filter): Filter[] {
  const others = filters.filter(
    (one) => !isSame(one, filter) && (one.kind !== filter.kind || MULTIPLE.includes(one.kind)),
  );
  return [...others, filter];
}

export function withoutFilter(filters: Filter[], filter: Filter): Filter[] {
  return filters.filter((one) => !isSame(one, filter));
}

const isSame = (a: Filter, b: Filter) => JSON.stringify(a) === JSON.stringify(b);

/** The query parameters of filters. */
export function filterQuery(filters: Filter[]): Partial<ItemQuery> {
  const terms = filters.flatMap((one) =>
    one.kind === 'term' || one.kind === 'language' || one.kind === 'subject' ? [one.tid] : [],
  );
  const fields = (kind: 'has' | 'lacks') =>
    filters
      .flatMap((one) => (one.kind === kind ? [one.field] : []))
      .slice(0, MAX_VALUES)
      .join(',') || undefined;
  const one = <Kind extends FilterKind>(kind: Kind) =>
    filters.find((filter): filter is Extract<Filter, { kind: Kind }> => filter.kind === kind);
  const status = one('status');
  return {
    model: one('model')?.tid,
    media_type: one('media_type')?.name,
    date: one('date')?.value,
    term: terms.slice(0, MAX_VALUES).join(',') || undefined,
    status: status ? (status.published ? 1 : 0) : undefined,
    has: fields('has'),
    lacks: fields('lacks'),
  };
}

/** The vocabularies that a filter searches; empty: all. */
export function vocabulariesFor(kind: FilterKind, fields: Field[], roles: FieldRoles): string[] {
  const named = (names: string[]) => names.flatMap((name) => fields.filter((field) => field.name === name));
  if (kind === 'language') return bundlesOf(named([roles.language]));
  return kind === 'subject' ? bundlesOf(named(roles.subjects)) : [];
}

function bundlesOf(fields: Field[]): string[] {
  return [...new Set(fields.flatMap((field) => field.target_bundles ?? []))];
}
