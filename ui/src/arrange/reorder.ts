import { listItems } from '../api/read';
import type { ItemQuery } from '../api/types';
import { toaster } from '../parts/toast.svelte';
import { itemList } from '../place/item_list.svelte';
import { refreshShown } from '../place/live';
import { mayWithChosen } from '../place/permission';
import { selection } from '../place/selection.svelte';
import { shownList } from '../place/shown_list.svelte';
import { t } from '../texts';
import { takeBack, undo } from '../undo/undo.svelte';
import { each } from './each';
import { changeField } from './field_change';
import { toldCourse } from './told_course';
import { putBeside, weightsToWrite, type Placed } from './order';

const LONGEST_PAGE = 200;

/** What is being put into order. Whatever comes after it begins from the order that it leaves. */
let line: Promise<void> = Promise.resolve();

function inLine(work: () => Promise<void>): Promise<void> {
  line = line.catch(() => {}).then(work);
  return undo.during(() => line);
}

/** Puts items of the list in the middle beside another one of it; one undo takes all of it back. */
export function putItems(nids: number[], beside: number, after: boolean): Promise<void> {
  const { query } = shownList;
  if (!query) return Promise.resolve();
  return inLine(async () => put(await wholeOrder(query), nids, beside, after));
}

async function put(before: Placed[], nids: number[], beside: number, after: boolean): Promise<void> {
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
  shownList.moved = nids[0] ?? null;
  refreshShown();
  const [failure] = failures;
  if (failure !== undefined) toaster.warn(t.move.orderPart(failures.length, failure), takeBack());
  else toaster.say(t.move.ordered(nids.length), takeBack());
}

/** Moves the chosen items by one place; says how where the list has no order of its own. */
export async function nudgeChosen(by: 1 | -1): Promise<void> {
  const { query } = shownList;
  if (!mayWithChosen('update')) return;
  if (query?.collection === undefined) return toaster.say(t.move.onlyInside);
  const { collection } = query;
  if (!shownList.byHand) {
    const sort = () => itemList.sortBy({ collection }, { sort: 'weight', order: 'asc' });
    return toaster.say(t.move.sortFirst, { label: t.move.sortNow, run: sort });
  }
  const chosen = new Set(selection.chosen);
  return inLine(() => nudge(query, chosen, by));
}

async function nudge(query: ItemQuery, chosen: Set<number>, by: 1 | -1): Promise<void> {
  const order = await wholeOrder(query);
  const places = order.flatMap(({ nid }, index) => (chosen.has(nid) ? [index] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return;
  const beside = order[by < 0 ? first - 1 : last + 1];
  const nids = places.map((index) => order[index]?.nid ?? 0);
  if (beside) await put(order, nids, beside.nid, by > 0);
}

/** All members in their order as it is now: what is shown may not have heard of the last change yet. */
async function wholeOrder(query: ItemQuery): Promise<Placed[]> {
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
