import { germanLabels } from './german_labels';
import { language } from './language';

/** Vocabularies whose terms the program itself brings and names. */
const SHIPPED_VOCABULARIES = [
  'islandora_models',
  'islandora_media_use',
  'islandora_display',
  'resource_types',
  'resource_types_dcmi',
  'frequencies',
  'issuance_modes',
];

/** A label of the shipped content model in the reader's language. What people have named themselves stays. */
export const shippedLabel = (label: string): string =>
  language === 'de' && Object.hasOwn(germanLabels, label) ? (germanLabels[label] ?? label) : label;

/** The name of a term: in the reader's language where the program brings the term. */
export const termName = (name: string, vocabulary: string): string =>
  isShipped(vocabulary) ? shippedLabel(name) : name;

export const isShipped = (vocabulary: string): boolean => SHIPPED_VOCABULARIES.includes(vocabulary);

/** Texts of the content model that people read: labels by name, roles by code. */
export function inReadersLanguage<T>(model: T): T {
  return JSON.parse(JSON.stringify(model), (key, value: unknown) => {
    if ((key === 'label' || key === 'value_label') && typeof value === 'string') return shippedLabel(value);
    if (key !== 'relators' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([code, name]) => [code, shippedLabel(String(name))]),
    );
  }) as T;
}
