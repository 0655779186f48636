import type { Media } from '../api/types';
import { repository } from './repository.svelte';
import type { ItemMedia } from '../media_display/presentation';

const probe = document.createElement('video');

/** The media of an item, with the repository's media uses and the formats that this browser plays. */
export function toItemMedia(media: Media[]): ItemMedia {
  const roles = new Map(repository.model.media_uses.map(({ tid, role }) => [tid, role ?? null]));
  return {
    media,
    roleOf: (tid) => roles.get(tid) ?? null,
    canPlay: (mime) => probe.canPlayType(mime) !== '',
  };
}
