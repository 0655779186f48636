/** What narrows the list of items, and how the server is asked for it. */
import type { Field, ItemQuery } from '../api/types';

/** One filter, as a chip shows it. */
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

/** Of these there can be several; of the others a later one takes the place of the former. */
const SEVERAL: FilterKind[] = ['language', 'subject', 'term', 'has', 'lacks'];
/** The server takes so many terms, and so many fields. */
const MOST = 10;

/** The filters with one more. */
export function withFilter(filters: Filter[], filter: Filter): Filter[] {
  const others = filters.filter(
    (one) => !isSame(one, filter) && (one.kind !== filter.kind || SEVERAL.includes(one.kind)),
  );
  return [...others, filter];
}

export function withoutFilter(filters: Filter[], filter: Filter): Filter[] {
  return filters.filter((one) => !isSame(one, filter));
}

const isSame = (a: Filter, b: Filter) => JSON.stringify(a) === JSON.stringify(b);

/** The part of the question for items that filters are. */
export function askedBy(filters: Filter[]): Partial<ItemQuery> {
  const terms = filters.flatMap((one) =>
    one.kind === 'term' || one.kind === 'language' || one.kind === 'subject' ? [one.tid] : [],
  );
  const fields = (kind: 'has' | 'lacks') =>
    filters
      .flatMap((one) => (one.kind === kind ? [one.field] : []))
      .slice(0, MOST)
      .join(',') || undefined;
  const one = <Kind extends FilterKind>(kind: Kind) =>
    filters.find((filter): filter is Extract<Filter, { kind: Kind }> => filter.kind === kind);
  const status = one('status');
  return {
    model: one('model')?.tid,
    media_type: one('media_type')?.name,
    date: one('date')?.value,
    term: terms.slice(0, MOST).join(',') || undefined,
    status: status ? (status.published ? 1 : 0) : undefined,
    has: fields('has'),
    lacks: fields('lacks'),
  };
}

/** The vocabularies that a kind of term is looked up in; none: all of them. */
export function vocabulariesFor(kind: FilterKind, fields: Field[]): string[] {
  const named = (start: string) => fields.filter(({ name }) => name.startsWith(start));
  if (kind === 'language') return bundlesOf(named('field_language'));
  const subjects = ['field_subject', 'field_geographic_subject', 'field_temporal_subject'];
  if (kind === 'subject') return bundlesOf(subjects.flatMap(named));
  return [];
}

function bundlesOf(fields: Field[]): string[] {
  return [...new Set(fields.flatMap((field) => field.target_bundles ?? []))];
}
