/** The types of fields, as people choose them. One field type may stand for several. */
import type { FieldDefinition } from '../../api/content_model';

export type FieldKind =
  | 'text'
  | 'long'
  | 'formatted'
  | 'date'
  | 'number'
  | 'yesNo'
  | 'choice'
  | 'link'
  | 'term'
  | 'agent'
  | 'item'
  | 'place'
  | 'authority';

type Shape = Pick<FieldDefinition, 'type' | 'target_type'> & Partial<FieldDefinition>;

const shapes: Record<FieldKind, Shape> = {
  text: { type: 'string', max_length: 255 },
  long: { type: 'string_long' },
  formatted: { type: 'text_long' },
  date: { type: 'edtf', max_length: 128 },
  number: { type: 'integer' },
  yesNo: { type: 'boolean' },
  choice: { type: 'list_string', allowed_values: [] },
  link: { type: 'link', link_type: 17 },
  term: { type: 'entity_reference', target_type: 'taxonomy_term', target_bundles: [] },
  agent: { type: 'typed_relation', target_type: 'taxonomy_term', target_bundles: [] },
  item: { type: 'entity_reference', target_type: 'node', target_bundles: [] },
  place: { type: 'geolocation' },
  authority: { type: 'authority_link', link_type: 16, authority_sources: {} },
};

export const FIELD_KINDS = Object.keys(shapes) as FieldKind[];

/** The kind of a field; null for those that the program makes alone, such as files. */
export function kindOf({
  type,
  target_type,
}: Pick<FieldDefinition, 'type' | 'target_type'>): FieldKind | null {
  const fits = (kind: FieldKind) =>
    shapes[kind].type === type && (shapes[kind].target_type ?? target_type) === target_type;
  return FIELD_KINDS.find(fits) ?? null;
}

/** A new field of a kind, without a name. */
export const newField = (kind: FieldKind): FieldDefinition => ({
  name: '',
  label: '',
  ...structuredClone(shapes[kind]),
});

/** Types whose values searches can count. */
const COUNTED = ['entity_reference', 'typed_relation', 'string', 'list_string', 'string_long', 'text_long'];

export const mayBeFacet = ({ type, target_type }: FieldDefinition): boolean =>
  COUNTED.includes(type) && target_type !== 'media';
