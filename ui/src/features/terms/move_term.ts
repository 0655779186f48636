import { bundleOf, getEntity, patchEntity } from '../../api/resources';
import type { Entity, FieldItem } from '../../api/types';
import { errorText } from '../../state/batch_preview.svelte';
import { refreshLists } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { valueStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { retryOnConflict } from '../organize_items/bulk';
import { undoAction } from '../undo/undo.svelte';
import { weightsAt, type Sibling, type TermPlace } from './term_order';

type Values = Record<string, FieldItem[]>;

/** Moves of terms run one after the other, each from the order that the former one made. */
let queue: Promise<void> = Promise.resolve();

/** Puts a term of one parent at another place, as one undoable change. `from` is 0 for the top. */
export function moveTerm(moved: Sibling, from: number, place: TermPlace): Promise<void> {
  queue = queue.then(() => carryOut(moved, from, place));
  return undoHistory.during(() => queue);
}

async function carryOut(moved: Sibling, from: number, place: TermPlace): Promise<void> {
  const steps: Step[] = [];
  try {
    const weights = weightsAt(moved, place);
    const weight = weights.get(moved.tid);
    weights.delete(moved.tid);
    // The term first: where it cannot go, nothing else changes.
    const own = await changeTerm(moved.tid, (term) => ({
      ...(from === place.parent ? {} : { parent: parents(term.parent ?? [], from, place.parent) }),
      ...(weight === undefined ? {} : { weight: [{ value: weight }] }),
    }));
    if (own) steps.push(own);
    for (const [tid, value] of weights) {
      const step = await changeTerm(tid, () => ({ weight: [{ value }] }));
      if (step) steps.push(step);
    }
    if (steps.length > 0) toaster.say(t.terms.moved(moved.name), undoAction());
  } catch (error) {
    toaster.warn(errorText(error));
  }
  if (steps.length > 0) undoHistory.recordAll(steps);
  refreshLists();
}

/** The parents of a term, with another one in the place of one. */
function parents(before: FieldItem[], from: number, to: number): FieldItem[] {
  const others = before.filter(({ target_id: id }) => id !== null && id !== to);
  const at = others.findIndex(({ target_id: id }) => id === from);
  const added = to === 0 ? [] : [{ target_id: to }];
  return at < 0 ? [...others, ...added] : others.toSpliced(at, 1, ...added);
}

function changeTerm(tid: number, after: (term: Entity) => Values): Promise<Step | null> {
  const kind = 'taxonomy_term';
  return retryOnConflict(async () => {
    const { body, etag } = await getEntity(kind, tid);
    const values = after(body);
    if (Object.keys(values).length === 0) return null;
    const bundle = bundleOf(kind, body);
    const { body: changed } = await patchEntity(kind, tid, bundle, values, etag);
    const fields = repository.model.vocabularies[bundle]?.fields ?? [];
    return valueStep(
      kind,
      body,
      changed,
      fields.filter(({ name }) => name in values),
    );
  });
}
