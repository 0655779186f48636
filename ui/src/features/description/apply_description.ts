import { bundleOf, getEntity, patchEntity } from '../../api/resources';
import type { Entity } from '../../api/types';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { valueStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { retryOnConflict, runBulk } from '../organize_items/bulk';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';
import { changesFor, type FillMode } from './description';

/** Gives values to items, as one undoable change. */
export function applyDescription(nids: number[], values: Entity, mode: FillMode): Promise<void> {
  return undoHistory.during(async () => {
    const progress = bulkProgress(nids.length, t.description.applying);
    const { done, failures } = await runBulk(nids, (nid) => applyTo(nid, values, mode), progress);
    const steps = done.filter((step) => step !== null);
    undoHistory.recordAll(steps);
    refreshLists();
    const [failure] = failures;
    const undo = steps.length > 0 ? undoAction() : undefined;
    if (failure !== undefined) toaster.warn(t.description.part(steps.length, failures.length, failure), undo);
    else toaster.say(t.description.applied(steps.length), undo);
  });
}

/** Answers the undo step; null for an item that has the values already. */
function applyTo(nid: number, values: Entity, mode: FillMode): Promise<Step | null> {
  return retryOnConflict(async () => {
    const { body, etag } = await getEntity('node', nid);
    const changes = changesFor(body, values, mode);
    if (changes.length === 0) return null;
    const fields = Object.fromEntries(changes.map(([{ name }, items]) => [name, items]));
    const { body: changed } = await patchEntity('node', nid, bundleOf('node', body), fields, etag);
    return valueStep(
      'node',
      body,
      changed,
      changes.map(([field]) => field),
    );
  });
}
