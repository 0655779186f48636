import { becomes } from '../media_types/registry';
import { repository } from '../place/repository.svelte';
import type { DroppedFile } from './dropped';
import { queue } from './queue.svelte';
import type { Replaced } from './transfer.svelte';

/** Where the file that is replaced belongs. */
interface Place {
  nid: number;
  itemTitle: string;
  bundle: string;
  useTid: number;
}

/** Sends a file in the place of that of a media, which keeps its kind. */
export function sendReplacement(
  file: DroppedFile,
  place: Place,
  { mid, name, copy }: Pick<Replaced, 'mid' | 'name' | 'copy'>,
): void {
  const becoming = becomes(file.name, file.mime, repository.model) ?? {
    mediaType: place.bundle,
    mime: file.mime ?? 'application/octet-stream',
    model: { tid: 0, name: '', uri: null },
  };
  const goal = {
    kind: 'media',
    nid: place.nid,
    itemTitle: place.itemTitle,
    replaces: { mid, name, copy },
  } as const;
  queue.add([{ file, goal, becoming: { ...becoming, mediaType: place.bundle }, useTid: place.useTid }]);
  queue.open = true;
}
