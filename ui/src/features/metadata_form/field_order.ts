import { groupsOf } from '../../fields/field_groups';
import type { Field } from '../../api/types';

export interface FieldLayout {
  shown: Field[];
  /** Fields that the model hides and that have values. */
  unusual: Field[];
  /** Empty fields that are displayed on demand. */
  hidden: Field[];
}

/** What is known of a field in a form. */
export interface FieldState {
  hasValues: (field: Field) => boolean;
  isWanted?: (field: Field) => boolean;
}

/**
 * Decides which fields of a form are shown, in the order of the model and by group. Common ones and those of a group are
 * shown also when they are empty. Those that the model hides are shown only with values.
 */
export function layoutFields(
  fields: Field[],
  common: string[],
  { hasValues, isWanted = () => false }: FieldState,
): FieldLayout {
  const usual = groupsOf(fields.filter((field) => !field.hidden || field.required)).flatMap(
    ({ fields }) => fields,
  );
  const isVisible = (field: Field) =>
    field.required ||
    common.includes(field.name) ||
    Boolean(field.group) ||
    isWanted(field) ||
    hasValues(field);
  return {
    shown: usual.filter(isVisible),
    unusual: fields.filter((field) => !usual.includes(field) && hasValues(field)),
    hidden: usual.filter((field) => !isVisible(field)),
  };
}
