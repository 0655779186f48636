import { createEntity, reference } from '../api/resources';
import type { Entity } from '../api/types';
import { mayPublish } from './permissions';
import { repository } from './repository.svelte';

interface NewItemOptions {
  /** Whether it is published; undefined: the server decides. Who may not publish makes a draft where it is false. */
  status?: boolean;
  /** Its place among the members of `memberOf`. */
  weight?: number;
  /** More values, such as those of a template. */
  values?: Entity;
}

/** Creates an item. It gets the defaults of the collection `memberOf` where nothing else is given. */
export async function createItem(
  title: string,
  model: number,
  memberOf: number | null,
  { status, weight, values = {} }: NewItemOptions = {},
): Promise<Entity> {
  const { bundle_roles, field_roles } = repository.model;
  const fields: Entity = {
    ...values,
    title: [{ value: title }],
    [field_roles.model]: [reference('taxonomy_term', model)],
  };
  if (memberOf !== null) fields[field_roles.member_of] = [reference('node', memberOf)];
  if (weight !== undefined) fields[field_roles.weight] = [{ value: weight }];
  if (status !== undefined && mayPublish()) fields.status = [{ value: status }];
  else if (status === false) fields.moderation_state = [{ value: 'draft' }];
  const { body } = await createEntity('node', bundle_roles.item, fields, { takesDefaults: true });
  return body;
}
