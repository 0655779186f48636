import type { Media } from '../../api/types';
import { repository } from '../../place/repository.svelte';
import type { Shelf } from './showing';

const probe = document.createElement('video');

/** The media of an item in this repository, for this browser. */
export function shelfOf(media: Media[]): Shelf {
  const uses = new Map(repository.model.media_uses.map(({ tid, uri }) => [tid, uri ?? null]));
  return {
    media,
    useOf: (tid) => uses.get(tid) ?? null,
    plays: (mime) => probe.canPlayType(mime) !== '',
  };
}
