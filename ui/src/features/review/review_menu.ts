import type { IconName } from '../../components/icons';
import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { currentList } from '../../state/current_list.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import { maySelected } from '../../state/permissions';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';
import { reviewSteps, takeStep, type ReviewStep } from './take_step';

export const REVIEW_ICONS: Record<ReviewStep, IconName> = {
  submit: 'clock',
  withdraw: 'pencil',
  publish: 'eye',
  unpublish: 'hidden',
};

/** The steps that some displayed item of the selection can take. */
export function selectedSteps(): ReviewStep[] {
  if (!maySelected('update')) return [];
  const found = new Set<ReviewStep>();
  for (const [index, item] of currentList.rows.entries())
    if (selection.has(item.nid, index)) for (const step of reviewSteps(item)) found.add(step);
  return (Object.keys(REVIEW_ICONS) as ReviewStep[]).filter((step) => found.has(step));
}

/** Takes a step with the selection. */
export function stepSelection(step: ReviewStep): void {
  selection.withSelected((nids) => void takeStep(nids, step));
}

/** Opens the dialog that assigns the selection. */
export function assignSelection(): void {
  selection.withSelected((nids) => (dialogs.open = { kind: 'assign', nids }));
}

/** The entries of the menu of the selection. */
export function reviewEntries(): MenuGroup['entries'] {
  const steps = selectedSteps();
  const entries = steps.map((step) => ({
    id: step,
    label: t.review.steps[step],
    icon: REVIEW_ICONS[step],
    run: () => stepSelection(step),
  }));
  if (!isAssignable(steps)) return entries;
  return [...entries, { id: 'assign', label: t.review.assign, icon: 'person', run: assignSelection }];
}

/** What is public is not assigned to anybody. */
export const isAssignable = (steps: ReviewStep[]): boolean =>
  steps.includes('submit') || steps.includes('withdraw');
