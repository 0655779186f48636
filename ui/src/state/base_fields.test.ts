import { expect, it } from 'vitest';
import type { Field } from '../api/types';
import { sampleModel } from '../media_display/sample_model';
import { addLabel } from '../features/metadata_form/add_label';
import { localizeBaseFields } from './base_fields';
import { repository } from './repository.svelte';

const field = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  type: 'string',
  required: false,
  cardinality: -1,
  ...more,
});

function localized(one: Field): Field | undefined {
  const model = { ...sampleModel, vocabularies: { subject: { label: 'Subject', fields: [one] } } };
  return localizeBaseFields(model).vocabularies.subject?.fields[0];
}

it('a visibility is public or for staff only', () => {
  const status = localized(field('status', 'Published', { type: 'boolean', cardinality: 1 }));
  expect(status?.label).toBe('Visibility');
  expect(status?.allowed_values?.map(({ label }) => label)).toEqual(['Public', 'Staff only']);
});

it.each([
  [localized(field('parent', 'Term Parents')), 'Add broader term'],
  [field('field_linked_agent', 'Contributors', { value_label: 'Contributor' }), 'Add contributor'],
  [field('field_subject', 'Subject (Topical)', { value_label: 'Subject' }), 'Add subject'],
  [field('field_member_of', 'Member of'), 'Add to collection'],
  [field('field_isbn', 'ISBN'), 'Add ISBN'],
])('%j is added by “%s”', (one, words) => {
  repository.model = sampleModel;
  expect(one && addLabel(one)).toBe(words);
});
