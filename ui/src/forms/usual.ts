import type { Field } from '../api/types';

/** Fields that most descriptions have; they stand first and are shown even when empty. */
const USUAL = [
  'title',
  'name',
  'description',
  'field_model',
  'field_linked_agent',
  'field_edtf_date_created',
  'field_edtf_date_issued',
  'field_description',
  'field_resource_type',
  'field_genre',
  'field_subject',
  'field_language',
  'field_extent',
  'field_rights',
  'field_member_of',
];

export interface Arranged {
  shown: Field[];
  /** Fields without a value that are only shown on demand. */
  hidden: Field[];
}

/** The fields in the order of the form, and which of them wait behind a button. */
export function arrange(fields: Field[], isShown: (field: Field) => boolean): Arranged {
  const rank = (field: Field) => {
    const at = USUAL.indexOf(field.name);
    return at < 0 ? USUAL.length : at;
  };
  const sorted = [...fields].sort((a, b) => rank(a) - rank(b));
  const stands = (field: Field) => field.required || rank(field) < USUAL.length || isShown(field);
  return { shown: sorted.filter(stands), hidden: sorted.filter((field) => !stands(field)) };
}
