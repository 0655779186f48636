import type { Field } from '../../api/types';

export interface FieldLayout {
  shown: Field[];
  /** Empty fields that are displayed on demand. */
  hidden: Field[];
}

/** Sorts the fields of a form and decides which are hidden. Common ones come first, also when they are empty. */
export function layoutFields(
  fields: Field[],
  common: string[],
  isShown: (field: Field) => boolean,
): FieldLayout {
  const rank = (field: Field) => {
    const at = common.indexOf(field.name);
    return at < 0 ? common.length : at;
  };
  const sorted = [...fields].sort((a, b) => rank(a) - rank(b));
  const isVisible = (field: Field) => field.required || rank(field) < common.length || isShown(field);
  return { shown: sorted.filter(isVisible), hidden: sorted.filter((field) => !isVisible(field)) };
}
