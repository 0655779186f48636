/** Fields below one heading; those without a group stand first. */
export interface FieldGroup<Field> {
  name: string | null;
  fields: Field[];
}

/** The fields by group, in the order in which the groups begin. */
export function groupsOf<Field extends { group?: string | null }>(fields: Field[]): FieldGroup<Field>[] {
  const groups = new Map<string | null, Field[]>([[null, []]]);
  for (const field of fields) {
    const name = field.group || null;
    groups.set(name, [...(groups.get(name) ?? []), field]);
  }
  return [...groups].map(([name, fields]) => ({ name, fields })).filter(({ fields }) => fields.length > 0);
}
