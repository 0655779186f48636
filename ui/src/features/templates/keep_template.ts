import { putTemplate, type Template } from '../../api/templates';
import { refreshLists } from '../../state/live_updates';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';

type TemplateContent = Pick<Template, 'name' | 'type' | 'values'>;

/** Keeps a template with a collection, and offers to bring back the former one. */
export async function keepTemplate(
  nid: number,
  template: TemplateContent,
  former: TemplateContent | null,
  words: string,
): Promise<void> {
  await putTemplate(nid, template);
  refreshLists();
  const back = former ?? { ...template, values: {} };
  toaster.say(words, { label: t.toast.undo, run: () => void bringBack(nid, back) });
}

async function bringBack(nid: number, template: TemplateContent): Promise<void> {
  try {
    await putTemplate(nid, template);
    refreshLists();
    toaster.say(t.templates.broughtBack);
  } catch (error) {
    toaster.warn(error instanceof Error ? error.message : String(error));
  }
}
