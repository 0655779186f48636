import type { Entity, Field, FieldItem, FieldRoles, Media } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { titleFromName } from '../../media_display/title';

/** A value embedded in a file, for an empty field of its item. */
export interface FieldSuggestion {
  field: Field;
  values: FieldItem[];
  text: string;
}

/** Embedded values that the user has to look up as terms. */
export interface TermSuggestion {
  kind: 'creators' | 'subjects' | 'place';
  words: string[];
}

/** Fields whose values can be taken over, by embedded property. */
const fieldsByFact = (roles: FieldRoles): Record<string, string> => ({
  title: 'title',
  date: roles.date_created,
  description: roles.description,
  rights: roles.rights,
  coordinates: roles.coordinates,
});

function embeddedMetadata(media: Media): Record<string, unknown> {
  const found = media.file?.facts?.offered;
  return found && typeof found === 'object' ? (found as Record<string, unknown>) : {};
}

function toFieldItem(metadata: unknown): FieldItem | null {
  if (typeof metadata === 'string' && metadata.trim() !== '') return { value: metadata.trim() };
  if (!metadata || typeof metadata !== 'object') return null;
  const { latitude, longitude } = metadata as Record<string, unknown>;
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { lat: latitude, lng: longitude }
    : null;
}

/** A title that equals the file name counts as unset. */
function isUnset(field: Field, items: FieldItem[], media: Media): boolean {
  const type = fieldType(field.type);
  if (field.name === 'title') {
    const title = String(items[0]?.value ?? '').trim();
    return (
      title === '' || title === titleFromName(media.file?.filename ?? '') || title === media.file?.filename
    );
  }
  return type !== undefined && items.every((item) => type.isBlank(item));
}

/** Suggestions for unset fields; `values` are those of the form, with drafts. */
export function fieldSuggestions(
  media: Media,
  fields: Field[],
  roles: FieldRoles,
  values: (name: string) => FieldItem[],
): FieldSuggestion[] {
  const metadata = embeddedMetadata(media);
  return Object.entries(fieldsByFact(roles)).flatMap(([key, name]) => {
    const field = fields.find((one) => one.name === name);
    const value = toFieldItem(metadata[key]);
    if (!field || !value || !isUnset(field, values(name), media)) return [];
    if (name === 'title' && value.value === values(name)[0]?.value) return [];
    const text = 'lat' in value ? `${value.lat}, ${value.lng}` : String(value.value);
    return [{ field, values: [{ ...fieldType(field.type)?.empty(field), ...value }], text }];
  });
}

/** Embedded creators, subjects and places. */
export function termSuggestions(media: Media): TermSuggestion[] {
  const metadata = embeddedMetadata(media);
  const words = (key: string) => {
    const value = metadata[key];
    const all = Array.isArray(value) ? value : [value];
    return all.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  };
  return (['creators', 'subjects', 'place'] as const)
    .map((kind) => ({ kind, words: words(kind) }))
    .filter((suggestion) => suggestion.words.length > 0);
}

/** The fields to send for suggestions. */
export function suggestedFields(offers: FieldSuggestion[]): Entity {
  return Object.fromEntries(
    offers.map(({ field, values }) => [
      field.name,
      values.map((item) => fieldType(field.type)?.wire(item) ?? item),
    ]),
  );
}
