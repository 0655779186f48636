import { countBelow, listItems } from '../../api/read';
import { modelTerm } from '../../media_display/file_kinds';
import type { Option } from '../../components/Combobox.svelte';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';

/** Finds collections by title; `nowhere` is the label of the option for none, whose id is empty. */
export async function collectionSearch(
  words: string,
  nowhere: string,
  signal: AbortSignal,
): Promise<Option[]> {
  const model = modelTerm(repository.model, 'collection')?.tid;
  const query = { view: 'all', q: words, sort: 'title', order: 'asc', model } as const;
  const { items } = await listItems(query, null, 20, signal);
  const counts = await countBelow(
    items.map(({ nid }) => nid),
    signal,
  );
  const below = new Map(counts.map((count) => [count.nid, count.items]));
  const found = items.map((item) => ({
    id: String(item.nid),
    label: item.title,
    detail: t.count.items(below.get(item.nid) ?? item.members),
  }));
  return words.trim() === '' ? [{ id: '', label: nowhere }, ...found] : found;
}
