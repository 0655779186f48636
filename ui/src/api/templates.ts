/** Field values that collections keep for new items. */
import { requestResource } from './client';
import type { Entity } from './types';

/** A set of field values; without a name, the defaults of new items. */
export interface Template {
  name: string | null;
  /** The content type of the fields. */
  type: string;
  values: Entity;
  /** The collection that keeps it. */
  collection: { nid: number; title: string };
}

const pathOf = (nid: number) => `/api/v1/collections/${nid}/templates`;

/** The templates of a collection and of those above it, the nearest first. */
export async function listTemplates(nid: number, signal?: AbortSignal): Promise<Template[]> {
  return (await requestResource<{ templates: Template[] }>('GET', pathOf(nid), { signal })).body.templates;
}

/** Keeps a template with a collection, in the place of the one with its name. Without values it is removed. */
export async function putTemplate(
  nid: number,
  { name, type, values }: Pick<Template, 'name' | 'type' | 'values'>,
): Promise<Template[]> {
  const body = { name, type, values };
  return (await requestResource<{ templates: Template[] }>('PUT', pathOf(nid), { body })).body.templates;
}
