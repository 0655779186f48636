/** The content model as administrators change it. What this UI does not know is sent back as it came. */
import { requestResource, type ResourceResponse } from './client';
import type { EntityKind, FieldItem } from './types';

/** One field of a bundle. Absent members have their default. */
export interface FieldDefinition {
  name: string;
  label: string;
  /** Name of the field type. */
  type: string;
  value_label?: string;
  /** What stands below the input. */
  description?: string;
  group?: string;
  hidden?: boolean;
  required?: boolean;
  /** One where it is absent; -1 for any number. */
  cardinality?: number;
  target_type?: string;
  target_bundles?: string[];
  auto_create?: boolean;
  max_length?: number;
  min?: number;
  allowed_values?: { value: string; label: string }[];
  authority_sources?: Record<string, string>;
  link_type?: number;
  predicates?: string[];
  /** The values that new resources get. */
  default?: FieldItem[];
  facet?: string;
}

/** A node type, a media type or a vocabulary. */
export interface BundleDefinition {
  kind: EntityKind;
  id: string;
  label: string;
  description?: string;
  rdf_types?: string[];
  source_field?: string;
  /** In the order of the form. */
  fields: FieldDefinition[];
  /** They keep their values and can be restored. */
  removed_fields?: FieldDefinition[];
}

/** The content model as a document. */
export interface ModelDefinition {
  bundles: BundleDefinition[];
  relators: Record<string, string>;
  namespaces: Record<string, string>;
}

/** What a change of the content model does. */
export interface ModelEffect {
  kind: EntityKind;
  bundle: string;
  field?: string | null;
  change: string;
  /** How many resources it concerns. */
  resources?: number | null;
}

/** What a change of the content model did, or would do. */
export interface ModelOutcome {
  changed: boolean;
  effects: ModelEffect[];
}

const PATH = '/api/v1/content-model/definition';

export const readDefinition = (): Promise<ResourceResponse<ModelDefinition>> => requestResource('GET', PATH);

/** Says what the model would change, and writes nothing. */
export const checkDefinition = async (body: ModelDefinition, ifMatch: string | null) =>
  (await requestResource<ModelOutcome>('PUT', `${PATH}?check=true`, { body, ifMatch })).body;

export const writeDefinition = async (body: ModelDefinition, ifMatch: string | null) =>
  (await requestResource<ModelOutcome>('PUT', PATH, { body, ifMatch })).body;
