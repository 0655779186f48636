import { expect, it } from 'vitest';
import { filtersOf, withFilter, withoutFilter, withoutFilters, type Filter } from './item_filters';
import { UNNARROWED } from './search_address';

const subject = (value: string): Filter => ({ kind: 'choice', facet: 'subject', value });
const all = (...filters: Filter[]) => filters.reduce(withFilter, { ...UNNARROWED, q: 'map' });

it('a filter is there once, and a date takes the place of the former one', () => {
  const search = all(subject('1'), subject('2'), subject('1'));
  expect(search.choices.map(({ value }) => value)).toEqual(['2', '1']);
  expect(all({ kind: 'date', value: '1571' }, { kind: 'date', value: '15XX' }).date).toBe('15XX');
  expect(withoutFilter(search, subject('2')).choices).toEqual([{ facet: 'subject', value: '1' }]);
});

it('filters stand by facets, and are taken off one by one or together', () => {
  const model: Filter = { kind: 'choice', facet: 'model', value: '3' };
  const lacks: Filter = { kind: 'lacks', field: 'field_rights' };
  const term: Filter = { kind: 'term', tid: 8 };
  const search = all(subject('1'), model, subject('2'), lacks, term);
  expect(filtersOf(search)).toEqual([subject('1'), subject('2'), model, term, lacks]);
  expect(filtersOf(withoutFilter(withoutFilter(search, lacks), term))).toHaveLength(3);
  expect(withoutFilters(search)).toEqual({ ...UNNARROWED, q: 'map' });
});
