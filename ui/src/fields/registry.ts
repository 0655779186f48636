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
import TypedRelation, * as typed_relation from './typed_relation.svelte';

/** Every field type by its name in the content model. */
const types: Record<string, FieldType> = {
  string: { Editor: StringField, ...only(string) },
  string_long: { Editor: StringLong, ...only(string_long) },
  text: { Editor: Text, ...only(text) },
  text_long: { Editor: TextLong, ...only(text_long) },
  text_with_summary: { Editor: TextWithSummary, ...only(text_with_summary) },
  integer: { Editor: Integer, ...only(integer) },
  boolean: { Editor: Boolean, ...only(boolean) },
  edtf: { Editor: Edtf, ...only(edtf) },
  entity_reference: { Editor: EntityReference, ...only(entity_reference), adds: true },
  typed_relation: { Editor: TypedRelation, ...only(typed_relation), Label: RelatorLabel, adds: true },
  link: { Editor: Link, ...only(link) },
  authority_link: { Editor: AuthorityLink, ...only(authority_link) },
  geolocation: { Editor: Geolocation, ...only(geolocation) },
  file: { Editor: File, ...only(file) },
  image: { Editor: Image, ...only(image) },
  media_track: { Editor: MediaTrack, ...only(media_track) },
  list_string: { Editor: ListString, ...only(list_string) },
  comment: { Editor: Comment, ...only(comment) },
};

type Values = Pick<FieldType, 'empty' | 'isBlank' | 'wire'>;

function only({ empty, isBlank, wire }: Values): Values {
  return { empty, isBlank, wire };
}

/** The type of a field; undefined when this program has no editor for it. */
export function fieldType(name: string): FieldType | undefined {
  return types[name];
}
