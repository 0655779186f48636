import { undoHistory } from '../../state/undo_history.svelte';
import { bundleOf, createEntity, getEntity } from '../../api/resources';
import type { Entity } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { wireValues } from '../../fields/values';
import { toaster } from '../../state/toast.svelte';
import { refreshLists } from '../../state/live_updates';
import { mayPublish } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import { newStep } from '../../state/undo_steps';
import { undoAction } from '../undo/undo.svelte';
import { runBulk } from './bulk';
import { bulkProgress } from './progress_toast';

/** Duplicates items without their files, as one undoable change. */
export function duplicateItems(nids: number[]): Promise<void> {
  return undoHistory.during(() => duplicate(nids));
}

async function duplicate(nids: number[]): Promise<void> {
  const { done, failures } = await runBulk(nids, copyItem, bulkProgress(nids.length, t.items.duplicating));
  undoHistory.record(...done.map((made) => newStep('node', made)));
  refreshLists();
  const [failure] = failures;
  if (failure !== undefined) toaster.warn(failure, done.length > 0 ? undoAction() : undefined);
  else toaster.say(t.items.duplicated(done.length), undoAction());
}

async function copyItem(nid: number): Promise<Entity> {
  const { body } = await getEntity('node', nid);
  const bundle = bundleOf('node', body);
  return (await createEntity('node', bundle, descriptiveFields(bundle, body))).body;
}

/** The editable fields, with the title of a copy. */
function descriptiveFields(bundle: string, entity: Entity): Entity {
  const fields: Entity = {};
  for (const field of repository.model.node_types[bundle]?.fields ?? []) {
    const type = fieldType(field.type);
    const values = entity[field.name] ?? [];
    if (!type || field.derived || values.length === 0) continue;
    if (field.name === 'status' && !mayPublish()) continue;
    fields[field.name] = wireValues(type, values);
  }
  fields.title = [{ value: t.items.copyOf(String(entity.title?.[0]?.value ?? '')) }];
  return fields;
}
