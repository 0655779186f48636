import { versionOf } from '../../api/resources';
import { refreshAfterSave } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { valueStep } from '../../state/undo_steps';
import { changedReviewFields } from '../review/review_fields';
import { EntityForm } from './entity_form.svelte';

/** The form of an item. Each save is a step that can be undone. */
export const itemForm = (nid: number): EntityForm =>
  new EntityForm(
    'node',
    nid,
    (bundle) => repository.model.node_types[bundle]?.fields ?? [],
    (after, before, field) => {
      const fields = field?.name === 'status' ? changedReviewFields(before, after) : field ? [field] : [];
      if (fields.length > 0) undoHistory.record(valueStep('node', before, after, fields));
      refreshAfterSave('node', nid, versionOf(after));
    },
  );
