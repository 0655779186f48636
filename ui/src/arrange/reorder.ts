import { listItems } from '../api/read';
import { toaster } from '../parts/toast.svelte';
import { itemList } from '../place/item_list.svelte';
import { refreshShown } from '../place/live';
import { mayEditItem } from '../place/permission';
import { selection } from '../place/selection.svelte';
import { shownList } from '../place/shown_list.svelte';
import { t } from '../texts';
import { undo } from '../undo/undo.svelte';
import { each } from './each';
import { changeField } from './field_change';
import { toldCourse } from './told_course';
import { putBeside, weightsToWrite, type Placed } from './order';

const LONGEST_PAGE = 200;

/** Puts items of the list in the middle beside another one of it; one undo takes all of it back. */
export function putItems(nids: number[], beside: number, after: boolean): Promise<void> {
  return undo.during(() => put(nids, beside, after));
}

async function put(nids: number[], beside: number, after: boolean): Promise<void> {
  const before = await wholeOrder();
  const order = putBeside(before, nids, beside, after);
  const weights = weightsToWrite(before, order);
  if (order === before || weights.size === 0) return;
  const { done, failures } = await each(
    [...weights],
    ([nid, weight]) => changeField(nid, 'field_weight', () => [{ value: weight }]),
    toldCourse(weights.size, t.move.ordering),
  );
  const steps = done.filter((step) => step !== null);
  undo.did(...steps);
  const at = order.findIndex(({ nid }) => nid === nids[0]);
  selection.stand(Math.max(0, at), nids[0] ?? null);
  refreshShown();
  const takeBack = { label: t.toast.undo, run: () => void undo.undo() };
  const [failure] = failures;
  if (failure !== undefined) toaster.warn(t.move.orderPart(failures.length, failure), takeBack);
  else toaster.say(t.move.ordered(nids.length), takeBack);
}

/** Moves the chosen items by one place; says how where the list has no order of its own. */
export async function nudgeChosen(by: 1 | -1): Promise<void> {
  const { query } = shownList;
  if (!mayEditItem('islandora_object', null)) return;
  if (query?.collection === undefined) return toaster.say(t.move.onlyInside);
  const { collection } = query;
  if (!shownList.byHand) {
    const sort = () => itemList.sortBy({ collection }, { sort: 'weight', order: 'asc' });
    return toaster.say(t.move.sortFirst, { label: t.move.sortNow, run: sort });
  }
  const order = await wholeOrder();
  const chosen = order.flatMap(({ nid }, index) => (selection.chosen.has(nid) ? [index] : []));
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (first === undefined || last === undefined) return;
  const beside = order[by < 0 ? first - 1 : last + 1];
  const nids = chosen.map((index) => order[index]?.nid ?? 0);
  if (beside) await putItems(nids, beside.nid, by > 0);
}

/** All members in their order, those that are not read yet as well. */
async function wholeOrder(): Promise<Placed[]> {
  const { rows, query } = shownList;
  if (!query || rows.whole) return rows.read.map(placed);
  const all: Placed[] = [];
  let next: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listItems>> = await listItems(query, next, LONGEST_PAGE);
    all.push(...page.items.map(placed));
    next = page.next ?? null;
  } while (next !== null);
  return all;
}

const placed = ({ nid, weight }: { nid: number; weight?: number | null }): Placed => ({
  nid,
  weight: weight ?? null,
});
