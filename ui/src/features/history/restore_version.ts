import { undoHistory } from '../../state/undo_history.svelte';
import {
  filesOfMediaRevision,
  listMediaRevisions,
  revertToRevision,
  type FileVersion,
} from '../../api/history';
import { getEntity, versionOf } from '../../api/resources';
import { t } from '../../texts';
import { fileStep, sourceFields } from '../undo/file_steps';

/** Brings back the bytes that a file of a media had; they become its newest version. One undo takes them away again. */
export function restoreVersion(mid: number, version: FileVersion): Promise<void> {
  return undoHistory.during(() => revertMediaFile(mid, version));
}

async function revertMediaFile(mid: number, version: FileVersion): Promise<void> {
  const vid = await findRevisionWithFile(mid, version);
  if (vid === null) throw new Error(t.files.noState);
  const { etag, body } = await getEntity('media', mid);
  const after = await revertToRevision('media', mid, vid, etag, sourceFields(body, [version]));
  undoHistory.record(fileStep(body, versionOf(after)));
}

/** The latest state of a media that showed these very bytes. */
async function findRevisionWithFile(mid: number, { fid, sha512 }: FileVersion): Promise<number | null> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listMediaRevisions>> = await listMediaRevisions(mid, after);
    for (const { vid } of page.revisions) {
      const files = await filesOfMediaRevision(mid, vid);
      if (files.some((file) => file.fid === fid && file.sha512 === sha512)) return vid;
    }
    after = page.next ?? null;
  } while (after !== null);
  return null;
}
