import type { Batch, BatchAct } from '../../api/types';
import { amountOf } from '../../state/open_batches.svelte';
import { t } from '../../texts';

/** What a batch does: the name of the table that it imports, or its act. */
export function batchTitle({ change, undoes }: Batch): string {
  const { act, name } = change as { act?: BatchAct; name?: string };
  const what = (act && t.batch.titles[act]) ?? t.batch.changing;
  const title = name ? t.batch.named(what, name) : what;
  return undoes == null ? title : t.batch.undone(title);
}

/** How far it is, in rows of its table or in items. */
export function amountWords(batch: Batch): string {
  const { done, all } = amountOf(batch);
  const hasRows = 'rows' in batch.change && batch.undoes == null;
  return hasRows ? t.batch.rows(done, all) : t.batch.progress(done, all);
}
