import { listTemplates, type Template } from '../../api/templates';
import type { Entity, Field } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { typedText, wireValues } from '../../fields/values';
import { mayPublish } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { describedFields } from '../description/description';

/** The fields that templates may have values for. */
export function templateFields(bundle: string): Field[] {
  const { member_of, weight } = repository.model.field_roles;
  const excluded = ['title', member_of, weight, ...(mayPublish() ? [] : ['status'])];
  return describedFields(bundle).filter(({ name }) => !excluded.includes(name));
}

/** The values to send, without blank ones. */
export function templateValues(bundle: string, values: Entity): Entity {
  const wired = templateFields(bundle).flatMap((field): [string, Entity[string]][] => {
    const type = fieldType(field.type);
    const items = type ? wireValues(type, values[field.name] ?? []) : [];
    return items.length > 0 ? [[field.name, items]] : [];
  });
  return Object.fromEntries(wired);
}

/** Whether a text was typed that is no term yet. */
export const hasTyped = (values: Entity): boolean =>
  Object.values(values).some((items) => items.some((item) => typedText(item) !== ''));

export interface CollectionTemplates {
  /** The defaults for new items, its own or those of a collection above. */
  defaults: Template | null;
  named: Template[];
}

export async function loadTemplates(nid: number, signal?: AbortSignal): Promise<CollectionTemplates> {
  const all = await listTemplates(nid, signal);
  return {
    defaults: all.find(({ name }) => name === null) ?? null,
    named: all.filter(({ name }) => name !== null),
  };
}
