/** The steps of an item on its way to publication: draft, in review, public. */
import type { Entity, FieldItem, Item } from '../../api/types';
import { errorText } from '../../state/batch_preview.svelte';
import { runUndoableBatch } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { mayPublish } from '../../state/permissions';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { changeFields } from '../organize_items/field_change';
import { bulkProgress } from '../organize_items/progress_toast';
import { undoAction } from '../undo/undo.svelte';
import { changedReviewFields } from './review_fields';

export type ReviewStep = 'submit' | 'withdraw' | 'publish' | 'unpublish';

type Values = Record<string, FieldItem[]>;

const VALUES: Record<ReviewStep, Values> = {
  submit: { moderation_state: [{ value: 'in_review' }] },
  withdraw: { moderation_state: [{ value: 'draft' }] },
  publish: { status: [{ value: true }] },
  unpublish: { status: [{ value: false }] },
};

/** The steps that the server takes with an item in this state. Who may edit it submits and withdraws it. */
export function reviewSteps(item: Pick<Item, 'status' | 'in_review'>): ReviewStep[] {
  const publishing: ReviewStep[] = item.status ? ['unpublish'] : ['publish'];
  const before: ReviewStep[] = item.status ? [] : [item.in_review ? 'withdraw' : 'submit'];
  return [...before, ...(mayPublish() ? publishing : [])];
}

/** Takes a step with items, as one undoable change. */
export const takeStep = (nids: number[], step: ReviewStep): Promise<void> =>
  setReview(nids, VALUES[step], t.review.done[step]);

/** Assigns items to somebody, or to nobody, with a note about what is to be done. */
export function assign(nids: number[], uid: number | null, note?: string): Promise<void> {
  const values: Values = { assignee: uid === null ? [] : [{ target_id: uid, target_type: 'user' }] };
  if (note !== undefined) values.review_note = note === '' ? [] : [{ value: note }];
  return setReview(nids, values, t.review.assigned);
}

type DoneWords = (n: number, title: string) => string;

function setReview(nids: number[], values: Values, done: DoneWords): Promise<void> {
  return undoHistory.during(async () => {
    try {
      await (nids.length === 1 ? setOne(nids[0] ?? 0, values, done) : setMany(nids, values, done));
    } catch (error) {
      toaster.warn(errorText(error));
    }
    refreshLists();
  });
}

async function setOne(nid: number, values: Values, done: DoneWords): Promise<void> {
  const differs = (before: Entity) =>
    Object.entries(values).some(([name, items]) => wordsOf(before[name]) !== wordsOf(items));
  const step = await changeFields(nid, (before) => (differs(before) ? values : null), changedReviewFields);
  if (!step) return;
  undoHistory.record(step);
  toaster.say(done(1, 'title' in step ? step.title : ''), undoAction());
}

/** Many items are changed by one job of the server. */
async function setMany(nids: number[], values: Values, done: DoneWords): Promise<void> {
  const change = { act: 'describe', values: values as Record<string, never[]>, replace: true } as const;
  const progress = bulkProgress(nids.length, t.review.running);
  const name = { what: 'values', label: t.review.label } as const;
  const { batch, left, reason } = await runUndoableBatch({ nids }, change, name, progress);
  const undo = batch.changed > 0 ? undoAction() : undefined;
  if (left > 0) toaster.warn(t.review.part(batch.changed, left, reason), undo);
  else if (batch.changed === 0) toaster.say(t.review.nothing);
  else toaster.say(done(batch.changed, ''), undo);
}

const wordsOf = (items: FieldItem[] | undefined): string =>
  (items ?? []).map((item) => String(item.value ?? item.target_id ?? '')).join('\n');
