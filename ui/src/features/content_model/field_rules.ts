/** What a field still lacks before it is added to the model. The server has the last word. */
import type { BundleDefinition, FieldDefinition, ModelDefinition } from '../../api/content_model';
import { t } from '../../texts';
import { isName } from './field_names';
import { kindOf } from './field_kinds';

export interface FieldProblems {
  label?: string;
  name?: string;
  targets?: string;
  choices?: string;
}

export function problemsOf(field: FieldDefinition, bundle: BundleDefinition, isNew: boolean): FieldProblems {
  const words = t.contentModel;
  const problems: FieldProblems = {};
  if (field.label.trim() === '') problems.label = words.labelMissing;
  if (isNew) {
    const taken = namesOf(bundle).includes(field.name);
    if (taken) problems.name = words.nameTaken;
    else if (!isName(field.name)) problems.name = words.nameWrong;
  }
  const kind = kindOf(field);
  const needsTargets = kind === 'term' || kind === 'agent' || kind === 'item';
  if (isNew && needsTargets && !field.target_bundles?.length) problems.targets = words.form.targetMissing;
  if (kind === 'choice' && !field.allowed_values?.length) problems.choices = words.form.choiceMissing;
  return problems;
}

/** Names that a new field of the bundle cannot have. */
export const namesOf = ({ fields, removed_fields: removed = [] }: BundleDefinition): string[] =>
  [...fields, ...removed].map(({ name }) => name);

/** Without lines that were left empty, and without members that have their default. */
export function tidied(field: FieldDefinition): FieldDefinition {
  const tidy: FieldDefinition = { ...field, label: field.label.trim() };
  if (field.predicates)
    tidy.predicates = field.predicates.map((one) => one.trim()).filter((one) => one !== '');
  if (field.allowed_values)
    tidy.allowed_values = field.allowed_values.filter(({ value, label }) => value !== '' || label !== '');
  if (field.authority_sources)
    tidy.authority_sources = Object.fromEntries(
      Object.entries(field.authority_sources).filter(([code]) => code !== ''),
    );
  return withoutDefaults(tidy);
}

function withoutDefaults(field: FieldDefinition): FieldDefinition {
  const isDefault = ([name, value]: [string, unknown]) =>
    name !== 'name' &&
    name !== 'label' &&
    (value === undefined ||
      value === null ||
      value === '' ||
      value === false ||
      (name === 'cardinality' && value === 1) ||
      (Array.isArray(value) && value.length === 0) ||
      (typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0));
  return Object.fromEntries(
    Object.entries(field).filter((entry) => !isDefault(entry)),
  ) as unknown as FieldDefinition;
}

/** The facets of the model, without the one of the field itself. */
export function otherFacets(model: ModelDefinition, field: FieldDefinition): string[] {
  const others = model.bundles.flatMap(({ fields }) => fields).filter(({ name }) => name !== field.name);
  return [...new Set(others.flatMap(({ facet }) => facet ?? []))].filter((one) => one !== ownFacet(field));
}

/** The name of a facet that no other field has. */
export const ownFacet = ({ name }: FieldDefinition): string => name.replace(/^field_/, '');
