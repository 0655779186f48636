import { errorText } from '../../state/batch_preview.svelte';
import { runUndoableBatch } from '../../state/batch_run';
import { undoHistory } from '../../state/undo_history.svelte';
import { listItems } from '../../api/read';
import type { ItemQuery } from '../../api/types';
import { toaster } from '../../state/toast.svelte';
import { listOptions } from '../../state/list_options.svelte';
import { refreshLists } from '../../state/live_updates';
import { maySelected } from '../../state/permissions';
import { selection } from '../../state/selection.svelte';
import { currentList } from '../../state/current_list.svelte';
import { t } from '../../texts';
import { undoAction } from '../undo/undo.svelte';
import { bulkProgress } from './progress_toast';
import { moveBeside, weightsToWrite, type OrderedItem } from './order';

const MAX_PAGE_SIZE = 200;

/** Reorderings run one after the other, each from the order that the former one made. */
let queue: Promise<void> = Promise.resolve();

function enqueue(work: () => Promise<void>): Promise<void> {
  queue = queue.then(work).catch((error: unknown) => toaster.warn(errorText(error)));
  return undoHistory.during(() => queue);
}

/** Moves items of the displayed list beside another one, as one undoable change. */
export function reorderItems(nids: number[], beside: number, after: boolean): Promise<void> {
  const { query } = currentList;
  if (!query) return Promise.resolve();
  return enqueue(async () => applyOrder(await loadOrder(query), nids, beside, after));
}

async function applyOrder(
  before: OrderedItem[],
  nids: number[],
  beside: number,
  after: boolean,
): Promise<void> {
  const order = moveBeside(before, nids, beside, after);
  const weights = weightsToWrite(before, order);
  if (order === before || weights.size === 0) return;
  const items = { nids: [...weights.keys()] };
  const change = { act: 'order', weights: [...weights].map(([nid, weight]) => ({ nid, weight })) } as const;
  const progress = bulkProgress(weights.size, t.move.ordering);
  const { batch, left, reason } = await runUndoableBatch(items, change, { what: 'order' }, progress);
  const [moved] = nids;
  const at = order.findIndex(({ nid }) => nid === moved);
  // The cursor follows the item when the new order is displayed: until then keys are for where it stands.
  const shown = moved === undefined ? -1 : currentList.rows.indexOf(moved);
  selection.setCursor(shown < 0 ? Math.max(0, at) : shown, moved ?? null);
  currentList.movedItem = moved ?? null;
  refreshLists();
  const undo = batch.changed > 0 ? undoAction() : undefined;
  if (left > 0) toaster.warn(t.move.orderPart(left, reason), undo);
  else toaster.say(t.move.ordered(nids.length, currentList.titleOf(moved)), undo);
}

/** Moves the selected items by one position. In a list that is not in manual order, says how to sort it. */
export async function nudgeSelection(by: 1 | -1): Promise<void> {
  const { query } = currentList;
  if (!maySelected('update')) return;
  if (query?.collection === undefined) return toaster.say(t.move.onlyInside);
  const { collection } = query;
  if (!currentList.isManuallyOrdered) {
    const sort = () => {
      listOptions.sortBy({ collection }, { sort: 'weight', order: 'asc' });
      if (query.below) listOptions.showBelow({ collection }, false);
    };
    return toaster.say(t.move.sortFirst, { label: t.move.sortNow, run: sort });
  }
  const chosen = new Set(selection.ids);
  return enqueue(() => nudge(query, chosen, by));
}

async function nudge(query: ItemQuery, chosen: Set<number>, by: 1 | -1): Promise<void> {
  const order = await loadOrder(query);
  const places = order.flatMap(({ nid }, index) => (chosen.has(nid) ? [index] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return;
  const beside = order[by < 0 ? first - 1 : last + 1];
  const nids = places.map((index) => order[index]?.nid ?? 0);
  if (beside) await applyOrder(order, nids, beside.nid, by > 0);
}

/** Reads the present order: the displayed list may be outdated. */
async function loadOrder(query: ItemQuery): Promise<OrderedItem[]> {
  const all: OrderedItem[] = [];
  let next: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listItems>> = await listItems(query, next, MAX_PAGE_SIZE);
    all.push(...page.items.map(toOrderedItem));
    next = page.next ?? null;
  } while (next !== null);
  return all;
}

const toOrderedItem = ({ nid, weight }: { nid: number; weight?: number | null }): OrderedItem => ({
  nid,
  weight: weight ?? null,
});
