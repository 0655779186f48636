import { sampleModel } from '../media_display/sample_model';
import { expect, it } from 'vitest';
import type { Field } from '../api/types';
import { filterQuery, vocabulariesFor, withFilter, withoutFilter, type Filter } from './item_filters';

const subject = (tid: number): Filter => ({ kind: 'subject', tid });

it('a filter takes the place of one that there can be only one of', () => {
  const first = withFilter([], { kind: 'date', value: '1571' });
  expect(withFilter(first, { kind: 'date', value: '15XX' })).toEqual([{ kind: 'date', value: '15XX' }]);
  expect(withFilter([subject(1)], subject(2))).toEqual([subject(1), subject(2)]);
  expect(withFilter([subject(1)], subject(1))).toEqual([subject(1)]);
  expect(withoutFilter([subject(1), subject(2)], subject(1))).toEqual([subject(2)]);
});

it('filters are asked of the server together', () => {
  const filters: Filter[] = [
    { kind: 'model', tid: 3 },
    { kind: 'media_type', name: 'image' },
    { kind: 'date', value: '1400/1969' },
    subject(7),
    { kind: 'language', tid: 8 },
    { kind: 'status', published: false },
    { kind: 'has', field: 'field_extent' },
    { kind: 'lacks', field: 'field_rights' },
    { kind: 'lacks', field: 'field_genre' },
  ];
  expect(filterQuery(filters)).toEqual({
    model: 3,
    media_type: 'image',
    date: '1400/1969',
    term: '7,8',
    status: 0,
    has: 'field_extent',
    lacks: 'field_rights,field_genre',
  });
  expect(Object.values(filterQuery([])).every((value) => value === undefined)).toBe(true);
});

it('terms are looked up where their field has them from', () => {
  const fields = [
    { name: 'field_subject', target_bundles: ['subject'] },
    { name: 'field_geographic_subject', target_bundles: ['geo_location', 'subject'] },
    { name: 'field_language', target_bundles: ['language'] },
  ] as Field[];
  expect(vocabulariesFor('subject', fields, sampleModel.field_roles)).toEqual(['subject', 'geo_location']);
  expect(vocabulariesFor('language', fields, sampleModel.field_roles)).toEqual(['language']);
  expect(vocabulariesFor('term', fields, sampleModel.field_roles)).toEqual([]);
});
