import { listItemMedia } from '../../api/read';
import { idOf, versionOf } from '../../api/resources';
import type { Entity } from '../../api/types';
import { fileStep, revisionAfter } from '../undo/file_steps';
import type { Step } from '../../state/undo_stack';

/** An uploaded file. */
interface UploadedFile {
  nid: number;
  /** Address of the new media; null for a replacement. */
  address: string | null;
  /** The media before its file was replaced. */
  before: Entity | null;
}

/** Undo steps of an upload; empty where they are unknown, such as without a connection. */
export async function uploadSteps({ nid, address, before }: UploadedFile): Promise<Step[]> {
  if (address !== null) return newMediaSteps(nid, Number(address.split('/').at(-1))).catch(() => []);
  if (before === null) return [];
  const after = await revisionAfter(idOf('media', before), versionOf(before));
  // The former version can still be restored from the list of versions.
  return after === null ? [] : [fileStep(before, after)];
}

/** The file first, then its media. */
async function newMediaSteps(nid: number, mid: number): Promise<Step[]> {
  const media = (await listItemMedia(nid)).find((one) => one.mid === mid);
  if (!media?.file) return [];
  const { name: title, vid, file } = media;
  return [
    { act: 'create', kind: 'file', id: file.fid, title, after: null },
    { act: 'create', kind: 'media', id: mid, title, after: vid },
  ];
}
