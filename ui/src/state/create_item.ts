import { createEntity, reference } from '../api/resources';
import type { Entity } from '../api/types';
import { repository } from './repository.svelte';

interface NewItemOptions {
  /** Whether it is published; undefined: the server decides. */
  status?: boolean;
  /** Its place among the members of `memberOf`. */
  weight?: number;
}

/** Creates an item. */
export async function createItem(
  title: string,
  model: number,
  memberOf: number | null,
  { status, weight }: NewItemOptions = {},
): Promise<Entity> {
  const { bundle_roles, field_roles } = repository.model;
  const fields: Entity = {
    title: [{ value: title }],
    [field_roles.model]: [reference('taxonomy_term', model)],
  };
  if (memberOf !== null) fields[field_roles.member_of] = [reference('node', memberOf)];
  if (weight !== undefined) fields[field_roles.weight] = [{ value: weight }];
  if (status !== undefined) fields.status = [{ value: status }];
  const { body } = await createEntity('node', bundle_roles.item, fields);
  return body;
}
