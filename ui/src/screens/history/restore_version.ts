import { filesOfState, listMediaRevisions, revertTo, type FileVersion } from '../../api/history';
import { getEntity, versionOf } from '../../api/resources';
import { t } from '../../texts';
import { bytesStep, sourceFields } from '../../undo/bytes';
import { undo } from '../../undo/undo.svelte';

/** Brings back the bytes that a file of a media had; they become its newest version. One undo takes them away again. */
export function restoreVersion(mid: number, version: FileVersion): Promise<void> {
  return undo.during(() => bringBack(mid, version));
}

async function bringBack(mid: number, version: FileVersion): Promise<void> {
  const vid = await stateThatShows(mid, version);
  if (vid === null) throw new Error(t.files.noState);
  const { etag, body } = await getEntity('media', mid);
  const after = await revertTo('media', mid, vid, etag, sourceFields(body, [version]));
  undo.did(bytesStep(body, versionOf(after)));
}

/** The latest state of a media that showed these very bytes. */
async function stateThatShows(mid: number, { fid, sha512 }: FileVersion): Promise<number | null> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listMediaRevisions>> = await listMediaRevisions(mid, after);
    for (const { vid } of page.revisions) {
      const files = await filesOfState(mid, vid);
      if (files.some((file) => file.fid === fid && file.sha512 === sha512)) return vid;
    }
    after = page.next ?? null;
  } while (after !== null);
  return null;
}
