import type { Field } from '../api/types';
import { t } from '../texts';

/** Fields that every resource of a kind has beside those of the content model. */
const plain = { cardinality: 1, required: false };

export const titleField = (): Field => ({
  ...plain,
  name: 'title',
  label: t.create.title,
  type: 'string',
  required: true,
  max_length: 255,
});

export const nameField = (): Field => ({ ...titleField(), name: 'name', label: t.terms.name });

export const descriptionField = (): Field => ({
  ...plain,
  name: 'description',
  label: t.terms.description,
  type: 'text_long',
});

export const broaderField = (vocabulary: string): Field => ({
  ...plain,
  name: 'parent',
  label: t.terms.broader,
  type: 'entity_reference',
  target_type: 'taxonomy_term',
  target_bundles: [vocabulary],
  cardinality: -1,
});

export const statusField = (): Field => ({
  ...plain,
  name: 'status',
  label: t.inspector.status,
  type: 'boolean',
});
