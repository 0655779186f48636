import type { ModelDefinition } from '../../api/content_model';

/** RDF names to suggest: those that the model uses, and its prefixes. */
export function knownPredicates({ bundles, namespaces }: ModelDefinition): string[] {
  const used = bundles.flatMap(({ fields, rdf_types = [] }) => [
    ...rdf_types,
    ...fields.flatMap(({ predicates = [] }) => predicates),
  ]);
  return [...new Set([...used.sort(), ...Object.keys(namespaces).map((prefix) => `${prefix}:`)])];
}
