import { t } from '.';
import type { Item } from '../api/types';

/** How an item is called that is not public. */
export function hiddenWords({ in_review, assignee }: Pick<Item, 'in_review' | 'assignee'>): string {
  if (!in_review) return assignee ? t.review.draftOf(assignee.name) : t.visibility.staff;
  return assignee ? t.review.inReviewBy(assignee.name) : t.review.inReview;
}
