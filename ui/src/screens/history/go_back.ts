import { revertTo } from '../../api/history';
import { ApiError } from '../../api/errors';
import { getEntity, versionOf } from '../../api/resources';
import type { Field } from '../../api/types';
import { fieldType } from '../../fields/registry';
import { sameValues } from '../../forms/values';
import { toaster } from '../../parts/toast.svelte';
import { refreshShown } from '../../place/live';
import { t } from '../../texts';
import { valueStep } from '../../undo/step_of';
import { takeBack, undo } from '../../undo/undo.svelte';
import { comparison } from './comparison.svelte';

/** Gives an item the values of a former revision: all of `fields`, or the one named. One undo takes it back. */
export function goBack(nid: number, vid: number, fields: Field[], only?: Field): Promise<void> {
  return undo.during(() => revert(nid, vid, fields, only));
}

async function revert(nid: number, vid: number, fields: Field[], only?: Field): Promise<void> {
  try {
    const { body: before, etag } = await getEntity('node', nid);
    const after = await revertTo('node', nid, vid, etag, only && [only.name]);
    const touched = (only ? [only] : fields).filter(({ name, type }) => {
      const known = fieldType(type);
      return known && !sameValues(known, before[name] ?? [], after[name] ?? []);
    });
    undo.did(valueStep('node', before, after, touched));
    comparison.show(nid, vid, versionOf(after));
    const words = only ? t.history.tookBack(only.label, vid) : t.history.wentBack(vid);
    toaster.say(words, takeBack());
  } catch (error) {
    const raced = error instanceof ApiError && error.status === 412;
    toaster.warn(raced ? t.history.changedMeanwhile : error instanceof Error ? error.message : String(error));
  }
  refreshShown();
}
