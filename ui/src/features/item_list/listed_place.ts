import { countsBelow, isDeep } from '../../state/counts_below.svelte';
import { listOptions } from '../../state/list_options.svelte';
import type { ListScope } from '../../state/search_address';
import { t } from '../../texts';

/** Whether there is more below the collection than is listed. */
export function isCutAt(scope: ListScope): boolean {
  const below = 'collection' in scope ? countsBelow.of(scope.collection) : undefined;
  return below !== undefined && isDeep(below) && !listOptions.below(scope);
}

/** What is listed, in words; `title` is that of the collection. */
export function placeInWords(scope: ListScope, title: string): string {
  const words = t.items.empty.places;
  if ('view' in scope) return scope.view === 'all' ? words.all : words.view(t.places[scope.view]);
  if (isCutAt(scope)) return words.direct(title);
  return listOptions.below(scope) ? words.below(title) : words.view(title);
}
