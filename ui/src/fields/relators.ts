import type { ContentModel } from '../api/types';
import type { Option } from '../components/Listbox.svelte';
import { language } from '../texts/language';

/** The roles of agents, sorted by their labels in the language of the texts. */
export function relatorOptions({ relators }: Pick<ContentModel, 'relators'>): Option[] {
  const options = Object.entries(relators).map(([id, label]) => ({ id, label, detail: id }));
  return options.sort((a, b) => a.label.localeCompare(b.label, language));
}
