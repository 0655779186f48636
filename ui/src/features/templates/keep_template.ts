import { listTemplates, putTemplate, type Template } from '../../api/templates';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { settingsStep, templateSettings } from '../undo/settings_steps';
import { undoAction } from '../undo/undo.svelte';

/** Keeps a template with a collection as an undoable change. Without values the template is removed. */
export function keepTemplate(
  { nid, title }: Template['collection'],
  template: Pick<Template, 'name' | 'type' | 'values'>,
  words: string,
): Promise<void> {
  return undoHistory.during(async () => {
    const before = templateSettings(nid, await listTemplates(nid));
    const after = templateSettings(nid, await putTemplate(nid, template));
    const step = settingsStep({ kind: 'templates', id: nid, title }, before, after);
    if (step) undoHistory.record(step);
    refreshLists();
    toaster.say(words, step ? undoAction() : undefined);
  });
}
