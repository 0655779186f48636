/** Labels of base fields in the reader's language. Those of configured fields are data of the repository. */
import type { ContentModel, Field } from '../api/types';
import { t } from '../texts';
import { inReadersLanguage } from '../texts/shipped_labels';

export function localizeBaseFields(shipped: ContentModel): ContentModel {
  const model = inReadersLanguage(shipped);
  return {
    ...model,
    node_types: localizeForms(model.node_types),
    media_types: localizeForms(model.media_types),
    vocabularies: localizeForms(model.vocabularies),
  };
}

function localizeForms<Form extends { fields: Field[] }>(forms: Record<string, Form>): Record<string, Form> {
  return Object.fromEntries(
    Object.entries(forms).map(([id, form]) => [id, { ...form, fields: form.fields.map(localizeField) }]),
  );
}

function localizeField(field: Field): Field {
  const texts = t.baseFields[field.name];
  if (!texts) return field;
  const choices = [
    { value: '1', label: t.visibility.public },
    { value: '0', label: t.visibility.staff },
  ];
  return {
    ...field,
    label: texts.label,
    value_label: texts.one ?? field.value_label,
    ...(field.name === 'status' ? { allowed_values: choices } : {}),
  };
}
