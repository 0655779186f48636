import type { Entity, Field, FieldItem, Media } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { titleFromName } from '../../media_types/title';

/** Something that a file says about itself, for an empty field of its item. */
export interface Offer {
  field: Field;
  values: FieldItem[];
  words: string;
}

/** What a person has to look up: there may be a term for it, or not. */
export interface Suggestion {
  kind: 'creators' | 'subjects' | 'place';
  words: string[];
}

/** Fields that are offered as they are, by the name of what the file says. */
const FIELDS: Record<string, string> = {
  title: 'title',
  date: 'field_edtf_date_created',
  description: 'field_description',
  rights: 'field_rights',
  coordinates: 'field_coordinates',
};

function offered(media: Media): Record<string, unknown> {
  const found = media.file?.facts?.offered;
  return found && typeof found === 'object' ? (found as Record<string, unknown>) : {};
}

function valueOf(said: unknown): FieldItem | null {
  if (typeof said === 'string' && said.trim() !== '') return { value: said.trim() };
  if (!said || typeof said !== 'object') return null;
  const { latitude, longitude } = said as Record<string, unknown>;
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { lat: latitude, lng: longitude }
    : null;
}

/** A title that is but the name of the file says nothing yet. */
function isEmpty(field: Field, items: FieldItem[], media: Media): boolean {
  const known = fieldType(field.type);
  if (field.name === 'title') {
    const title = String(items[0]?.value ?? '').trim();
    return (
      title === '' || title === titleFromName(media.file?.filename ?? '') || title === media.file?.filename
    );
  }
  return known !== undefined && items.every((item) => known.isBlank(item));
}

/** What can be taken over; `values` are those of the item, typed ones too. */
export function offersOf(media: Media, fields: Field[], values: (name: string) => FieldItem[]): Offer[] {
  const said = offered(media);
  return Object.entries(FIELDS).flatMap(([key, name]) => {
    const field = fields.find((one) => one.name === name);
    const value = valueOf(said[key]);
    if (!field || !value || !isEmpty(field, values(name), media)) return [];
    if (name === 'title' && value.value === values(name)[0]?.value) return [];
    const words = 'lat' in value ? `${value.lat}, ${value.lng}` : String(value.value);
    return [{ field, values: [{ ...fieldType(field.type)?.empty(field), ...value }], words }];
  });
}

/** What it says of people, subjects and places. */
export function suggestionsOf(media: Media): Suggestion[] {
  const said = offered(media);
  const words = (key: string) => {
    const value = said[key];
    const all = Array.isArray(value) ? value : [value];
    return all.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  };
  return (['creators', 'subjects', 'place'] as const)
    .map((kind) => ({ kind, words: words(kind) }))
    .filter((suggestion) => suggestion.words.length > 0);
}

/** The fields to be sent for some offers. */
export function valuesOf(offers: Offer[]): Entity {
  return Object.fromEntries(
    offers.map(({ field, values }) => [
      field.name,
      values.map((item) => fieldType(field.type)?.wire(item) ?? item),
    ]),
  );
}
