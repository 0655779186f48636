/** The facets of a content model: their names, and those of their values. */
import type { ContentModel, Field } from '../api/types';
import { labelOf } from '../api/labels.svelte';
import { formatName } from '../media_display/format_name';
import { t } from '../texts';
import { termName } from '../texts/shipped_labels';
import { repository } from './repository.svelte';
import type { Choice } from './search_address';

export interface Facet {
  name: string;
  label: string;
  /** What stands for its values. */
  values: 'terms' | 'items' | 'words';
  /** The vocabularies of the terms. */
  vocabularies: string[];
  /** Whether its values are also counted by what they did: `agent.relators.pht`. */
  hasRoles: boolean;
}

/** As they stand beside the items. Facets of other names follow. */
const ORDER = [
  'collection',
  'model',
  'subject',
  'agent',
  'place',
  'genre',
  'language',
  'use',
  'format',
  'rights',
  'status',
];

const facetsByModel = new WeakMap<ContentModel, Facet[]>();

/** All facets, in their order. */
export function allFacets(): Facet[] {
  const { model } = repository;
  const known = facetsByModel.get(model);
  if (known) return known;
  const facets = [ownFacet('collection', 'items'), ownFacet('format', 'words'), ownFacet('status', 'words')];
  const bundles = [...Object.values(model.node_types), ...Object.values(model.media_types)];
  for (const field of bundles.flatMap(({ fields }) => fields)) addField(facets, field);
  const place = ({ name }: Facet) => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  facets.sort((a, b) => place(a) - place(b));
  facetsByModel.set(model, facets);
  return facets;
}

function ownFacet(name: string, values: Facet['values']): Facet {
  return { name, label: t.facets.names[name] ?? name, values, vocabularies: [], hasRoles: false };
}

/** Several fields may have one facet. */
function addField(facets: Facet[], field: Field): void {
  if (!field.facet) return;
  const found = facets.find(({ name }) => name === field.facet);
  const facet = found ?? {
    name: field.facet,
    label: t.facets.names[field.facet] ?? field.label,
    values: field.target_type === 'taxonomy_term' ? 'terms' : field.target_type ? 'items' : 'words',
    vocabularies: [],
    hasRoles: false,
  };
  facet.vocabularies = [...new Set([...facet.vocabularies, ...(field.target_bundles ?? [])])];
  facet.hasRoles ||= field.type === 'typed_relation';
  if (!found) facets.push(facet);
}

/** The facet of what somebody did: `agent.role`. */
export const rolesOf = (facet: Facet): string => `${facet.name}.role`;

/** The facet of those who did something: `agent.relators.pht`; of all without a relator. */
export const byRole = (facet: Facet, relator: string | null): string =>
  relator === null ? facet.name : `${facet.name}.${relator.replaceAll(':', '.')}`;

/** The facet to which a name belongs, and the relator that it names. */
export function facetOf(name: string): { facet: Facet; relator: string | null } | null {
  for (const facet of allFacets()) {
    if (facet.name === name) return { facet, relator: null };
    if (!facet.hasRoles || !name.startsWith(`${facet.name}.`)) continue;
    const relators = Object.keys(repository.model.relators);
    const relator = relators.find((code) => byRole(facet, code) === name);
    if (relator !== undefined) return { facet, relator };
  }
  return null;
}

/** The name of a facet. */
export function facetLabel(name: string): string {
  const found = facetOf(name);
  if (found?.relator) return relatorName(found.relator);
  if (name.endsWith('.role')) return t.facets.role;
  return found?.facet.label ?? name;
}

export function relatorName(code: string): string {
  return repository.model.relators[code] ?? code;
}

/** The name of a value, of which the server says a name. */
export function valueLabel(name: string, value: string, said: string): string {
  if (name === 'status') return value === 'published' ? t.visibility.public : t.visibility.staff;
  if (name === 'format') return formatName(value);
  if (name.endsWith('.role')) return relatorName(value);
  const names = facetOf(name)?.facet.vocabularies.map((vocabulary) => termName(said, vocabulary)) ?? [];
  return names.find((own) => own !== said) ?? said;
}

/** The name of a value that was chosen. */
export function choiceLabel({ facet, value }: Choice): string {
  const values = facetOf(facet)?.facet.values ?? (facet === 'part_of' ? 'items' : 'words');
  if (values === 'words') return valueLabel(facet, value, value);
  const type = values === 'items' ? 'node' : 'taxonomy_term';
  const label = labelOf(type, Number(value));
  return label === undefined ? '…' : (label?.label ?? t.facets.unknown);
}
