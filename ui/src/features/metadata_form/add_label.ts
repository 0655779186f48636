import type { Field } from '../../api/types';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';

/** What the button says that adds a value to a field. */
export function addLabel(field: Field): string {
  if (field.name === repository.model.field_roles.member_of) return t.form.addToCollection;
  return t.form.add(field.value_label ?? field.label);
}
