import type { Template } from '../../api/templates';
import type { FieldItem } from '../../api/types';
import { valueText } from '../../fields/value_text';
import { repository } from '../../state/repository.svelte';
import type { Settings } from '../../state/undo_stack';
import { t } from '../../texts';
import { shippedLabel } from '../../texts/shipped_labels';

/** The label of a setting, as in the forms. */
export function settingLabel(name: string): string {
  const { form } = t.watched;
  const labels: Record<string, string> = {
    name: t.people.name,
    roles: t.people.roles,
    collection_roles: t.people.inCollections.title,
    active: t.people.signsIn,
    query: t.savedSearches.query,
    public: t.savedSearches.public,
    paused: t.watched.states.paused,
    path: form.path,
    collection: form.collection,
    subfolders: form.subfolders,
    model: form.model,
    media_type: form.mediaType,
    media_use: form.mediaUse,
    scheme: form.scheme,
    owner: form.owner,
    published: t.visibility.label,
    template: form.template,
    name_pattern: form.pattern,
    create_terms: form.createTerms,
    afterwards: form.afterwards,
    duplicates: form.duplicates,
    sidecar: form.sidecar,
    sidecar_wait_seconds: form.sidecarWait,
    settle_seconds: form.settle,
    poll: form.poll,
    poll_seconds: form.pollEvery,
    rotation: t.adjust.rotation,
    crop: t.adjust.crop,
  };
  return labels[name] ?? name;
}

/** A template of a collection; the one without a name are its defaults. */
export const templateLabel = (name: string): string => (name === '' ? t.templates.defaults : name);

/** The values of a template as texts, a line for each field. */
export function templateTexts(template: unknown): FieldItem[] {
  const { type, values } = (template ?? { type: '', values: {} }) as Pick<Template, 'type' | 'values'>;
  const fields = repository.model.node_types[type]?.fields ?? [];
  return Object.entries(values).map(([name, items]) => {
    const field = fields.find((field) => field.name === name);
    const texts = field ? items.map((item) => valueText(field, item)) : [];
    return { value: `${field?.label ?? name}: ${texts.join(' · ')}` };
  });
}

/** A bundle or a field of the content model, by its label. */
export function modelPartLabel(name: string, settings: Settings[]): string {
  if (name === 'bundles') return t.contentModel.order;
  const labels = settings.map((one) => (one[name] as { label?: string } | null | undefined)?.label);
  return shippedLabel(labels.find((label) => label) ?? name);
}

/** What is set for a part of the content model, a line for each member. */
export function modelPartTexts(part: unknown): FieldItem[] {
  if (typeof part !== 'object' || part === null) return [];
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const lines = Array.isArray(part)
    ? part.map(text)
    : Object.entries(part).map(([name, one]) => `${name}: ${text(one)}`);
  return lines.map((value) => ({ value }));
}

/** Labels of the values of a rule. */
function choiceLabels(): Record<string, Record<string, string>> {
  const { form } = t.watched;
  return {
    subfolders: form.subfolderChoices,
    afterwards: form.afterwardsChoices,
    duplicates: form.duplicateChoices,
    sidecar: form.sidecars,
    poll: form.polls,
  };
}

/** A setting as field values, for display. */
export function settingValues(name: string, value: unknown): FieldItem[] {
  if (value === null || value === undefined) return [];
  const text = (one: unknown) =>
    typeof one === 'object' ? Object.values(one ?? {}).join(' · ') : String(one);
  if (Array.isArray(value)) return value.map((one) => ({ value: text(one) }));
  if (typeof value === 'boolean') return [{ value }];
  if (typeof value !== 'object') return [{ value: choiceLabels()[name]?.[String(value)] ?? String(value) }];
  return Object.entries(value).map(([field, texts]) => ({ value: `${field}: ${String(texts)}` }));
}
