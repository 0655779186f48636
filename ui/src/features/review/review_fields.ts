import type { Entity, Field } from '../../api/types';
import { t } from '../../texts';

/** Of the fields of the review and the one that publishing changes, those that differ: they are taken back together. */
export function changedReviewFields(before: Entity, after: Entity): Field[] {
  const differs = ({ name }: Field) =>
    JSON.stringify(before[name] ?? []) !== JSON.stringify(after[name] ?? []);
  return reviewFields().filter(differs);
}

function reviewFields(): Field[] {
  const named = (name: string, type: string): Field => ({
    name,
    label: t.baseFields[name]?.label ?? name,
    type,
    cardinality: 1,
    required: false,
  });
  return [
    named('status', 'boolean'),
    named('moderation_state', 'list_string'),
    named('assignee', 'entity_reference'),
    named('review_note', 'string_long'),
  ];
}
