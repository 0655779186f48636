import AuthorityLink, * as authority_link from './authority_link.svelte';
import Boolean, * as boolean from './boolean.svelte';
import Comment, * as comment from './comment.svelte';
import Edtf, * as edtf from './edtf.svelte';
import type { FieldType } from './editor';
import EntityReference, * as entity_reference from './entity_reference.svelte';
import File, * as file from './file.svelte';
import Geolocation, * as geolocation from './geolocation.svelte';
import Image, * as image from './image.svelte';
import Integer, * as integer from './integer.svelte';
import Link, * as link from './link.svelte';
import ListString, * as list_string from './list_string.svelte';
import MediaTrack, * as media_track from './media_track.svelte';
import RelatorLabel from './RelatorLabel.svelte';
import StringField, * as string from './string.svelte';
import StringLong, * as string_long from './string_long.svelte';
import Text, * as text from './text.svelte';
import TextLong, * as text_long from './text_long.svelte';
import TextWithSummary, * as text_with_summary from './text_with_summary.svelte';
import Timestamp, * as timestamp from './timestamp.svelte';
import TypedRelation, * as typed_relation from './typed_relation.svelte';

/** Every field type by its name in the content model. */
const types: Record<string, FieldType> = {
  string: { Editor: StringField, ...pickFunctions(string) },
  string_long: { Editor: StringLong, ...pickFunctions(string_long) },
  text: { Editor: Text, ...pickFunctions(text) },
  text_long: { Editor: TextLong, ...pickFunctions(text_long) },
  text_with_summary: { Editor: TextWithSummary, ...pickFunctions(text_with_summary) },
  integer: { Editor: Integer, ...pickFunctions(integer) },
  timestamp: { Editor: Timestamp, ...pickFunctions(timestamp) },
  boolean: { Editor: Boolean, ...pickFunctions(boolean) },
  edtf: { Editor: Edtf, ...pickFunctions(edtf) },
  entity_reference: {
    Editor: EntityReference,
    ...pickFunctions(entity_reference),
    alwaysOffersAnother: true,
  },
  typed_relation: {
    Editor: TypedRelation,
    ...pickFunctions(typed_relation),
    Label: RelatorLabel,
    alwaysOffersAnother: true,
  },
  link: { Editor: Link, ...pickFunctions(link) },
  authority_link: { Editor: AuthorityLink, ...pickFunctions(authority_link) },
  geolocation: { Editor: Geolocation, ...pickFunctions(geolocation) },
  file: { Editor: File, ...pickFunctions(file) },
  image: { Editor: Image, ...pickFunctions(image) },
  media_track: { Editor: MediaTrack, ...pickFunctions(media_track) },
  list_string: { Editor: ListString, ...pickFunctions(list_string) },
  comment: { Editor: Comment, ...pickFunctions(comment) },
};

type FieldTypeFunctions = Pick<FieldType, 'empty' | 'isBlank' | 'wire'>;

function pickFunctions({ empty, isBlank, wire }: FieldTypeFunctions): FieldTypeFunctions {
  return { empty, isBlank, wire };
}

/** The field type by name; undefined where there is no editor. */
export function fieldType(name: string): FieldType | undefined {
  return types[name];
}
