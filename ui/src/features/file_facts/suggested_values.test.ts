import { expect, it } from 'vitest';
import type { Field, FieldItem, Media } from '../../api/types';
import { sampleModel } from '../../media_display/sample_model';
import { fieldSuggestions, termSuggestions, suggestedFields } from './suggested_values';

const roles = sampleModel.field_roles;
const fields = [
  { name: 'title', label: 'Title', type: 'string', cardinality: 1 },
  { name: 'field_edtf_date_created', label: 'Date Created', type: 'edtf', cardinality: -1 },
  { name: 'field_coordinates', label: 'Coordinates', type: 'geolocation', cardinality: -1 },
] as unknown as Field[];

const offered = { title: 'The harbour', date: '1887-05', coordinates: { latitude: 43.04, longitude: 9.8 } };
const media = {
  file: { filename: 'IMG_0042.jpg', facts: { offered: { ...offered, creators: ['Bellandi', ''] } } },
} as unknown as Media;

const upon = (values: Record<string, FieldItem[]>) =>
  fieldSuggestions(media, fields, roles, (name) => values[name] ?? []).map(({ field }) => field.name);

it('what a file says is offered for fields that are empty', () => {
  expect(upon({})).toEqual(['title', 'field_edtf_date_created', 'field_coordinates']);
  expect(
    upon({ field_edtf_date_created: [{ value: '1571' }], field_coordinates: [{ lat: 1, lng: 2 }] }),
  ).toEqual(['title']);
});

it('a title that is but the name of the file is as good as none', () => {
  expect(upon({ title: [{ value: 'IMG 0042' }] })).toContain('title');
  expect(upon({ title: [{ value: 'A regatta' }] })).not.toContain('title');
  expect(upon({ title: [{ value: 'The harbour' }] })).not.toContain('title');
});

it('is written as the fields want it', () => {
  const offers = fieldSuggestions(media, fields, roles, () => []);
  expect(suggestedFields(offers)).toEqual({
    title: [{ value: 'The harbour' }],
    field_edtf_date_created: [{ value: '1887-05' }],
    field_coordinates: [{ lat: 43.04, lng: 9.8 }],
  });
});

it('people are only suggested', () => {
  expect(termSuggestions(media)).toEqual([{ kind: 'creators', words: ['Bellandi'] }]);
  expect(fieldSuggestions({ file: null } as unknown as Media, fields, roles, () => [])).toEqual([]);
});
