import { cancelBatch, undoBatch } from '../../api/batches';
import { followBatch, type BatchProgress } from '../../state/batch_run';
import type { Step } from '../../state/undo_stack';
import { t } from '../../texts';
import type { PreparedStep } from './prepare_step';

/** No item could be changed: others have changed all of them since. */
export class NothingLeft extends Error {}

/** Takes a change of many items back, or does it again. Items that others have changed since stay. */
export function prepareBatchStep(step: Extract<Step, { act: 'batch' }>): PreparedStep {
  return {
    step,
    later: [],
    run: async (progress: BatchProgress) => {
      // Pages that are still being made are no longer wanted.
      if (step.what === 'pages') await cancelBatch(step.last);
      const { id, changed, refused } = await followBatch(await undoBatch(step.last), progress);
      if (changed === 0 && refused > 0) throw new NothingLeft(t.undo.leftMany(refused));
      return { ...step, last: id, left: refused };
    },
  };
}
