import { versionOf } from '../../api/resources';
import { refreshAfterSave } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { valueStep } from '../../state/undo_steps';
import { EntityForm } from './entity_form.svelte';

/** The form of an item. Each save is a step that can be undone. */
export const itemForm = (nid: number): EntityForm =>
  new EntityForm(
    'node',
    nid,
    (bundle) => repository.model.node_types[bundle]?.fields ?? [],
    (after, before, field) => {
      if (field) undoHistory.record(valueStep('node', before, after, [field]));
      refreshAfterSave('node', nid, versionOf(after));
    },
  );
