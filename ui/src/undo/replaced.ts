import { idOf } from '../api/resources';
import type { Entity } from '../api/types';
import { toaster } from '../parts/toast.svelte';
import { t } from '../texts';
import { bytesStep, stateAfter } from './bytes';
import { titleOf } from './step_of';
import { versionOf } from './steps';
import { undo } from './undo.svelte';

/** Remembers that a file took the place of that of a media, which was in the state `before`; one undo brings that back. */
export function rememberReplaced(before: Entity): Promise<void> {
  return undo.during(async () => {
    const after = await stateAfter(idOf('media', before), versionOf(before));
    // Its former bytes can be had from its versions all the same.
    if (after === null) return;
    undo.did(bytesStep(before, after));
    toaster.say(t.transfers.replaced(titleOf(before)), {
      label: t.toast.undo,
      run: () => void undo.undo(),
    });
  });
}
