import { undoHistory } from '../../state/undo_history.svelte';
import { revertToRevision } from '../../api/history';
import { hasCode } from '../../api/errors';
import { getEntity, versionOf } from '../../api/resources';
import type { Field } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { sameValues } from '../../fields/values';
import { toaster } from '../../state/toast.svelte';
import { refreshLists } from '../../state/live_updates';
import { t } from '../../texts';
import { valueStep } from '../../state/undo_steps';
import { undoAction } from '../undo/undo.svelte';
import { comparison } from './comparison.svelte';

/** Gives an item the values of a former revision: all of `fields`, or the one named. One undo takes it back. */
export function revertItem(nid: number, vid: number, fields: Field[], only?: Field): Promise<void> {
  return undoHistory.during(() => revert(nid, vid, fields, only));
}

async function revert(nid: number, vid: number, fields: Field[], only?: Field): Promise<void> {
  try {
    const { body: before, etag } = await getEntity('node', nid);
    const after = await revertToRevision('node', nid, vid, etag, only && [only.name]);
    const touched = (only ? [only] : fields).filter(({ name, type }) => {
      const fieldTypeOf = fieldType(type);
      return fieldTypeOf && !sameValues(fieldTypeOf, before[name] ?? [], after[name] ?? []);
    });
    undoHistory.record(valueStep('node', before, after, touched));
    comparison.show(nid, vid, versionOf(after));
    const words = only ? t.history.revertedField(only.label, vid) : t.history.reverted(vid);
    toaster.say(words, undoAction());
  } catch (error) {
    const raced = hasCode(error, 'precondition_failed');
    toaster.warn(raced ? t.history.changedMeanwhile : error instanceof Error ? error.message : String(error));
  }
  refreshLists();
}
