import { listItemMedia } from '../api/read';
import { idOf, versionOf } from '../api/resources';
import type { Entity } from '../api/types';
import { bytesStep, stateAfter } from './bytes';
import type { Step } from './change';

/** A file that has come to an item. */
interface Arrived {
  nid: number;
  /** Of the media that was made for it; null where it took the place of another file. */
  address: string | null;
  /** The media whose file it took the place of, as it was. */
  before: Entity | null;
}

/** How what a file did is taken back; nothing where that is not known, such as without a connection. */
export async function stepsOfArrival({ nid, address, before }: Arrived): Promise<Step[]> {
  if (address !== null) return addedSteps(nid, Number(address.split('/').at(-1))).catch(() => []);
  if (before === null) return [];
  const after = await stateAfter(idOf('media', before), versionOf(before));
  // Its former bytes can be had from its versions all the same.
  return after === null ? [] : [bytesStep(before, after)];
}

/** The file, and after it the media that shows it. */
async function addedSteps(nid: number, mid: number): Promise<Step[]> {
  const media = (await listItemMedia(nid)).find((one) => one.mid === mid);
  if (!media?.file) return [];
  const { name: title, vid, file } = media;
  return [
    { act: 'create', kind: 'file', id: file.fid, title, after: null },
    { act: 'create', kind: 'media', id: mid, title, after: vid },
  ];
}
