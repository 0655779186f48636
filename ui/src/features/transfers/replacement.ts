import { classifyFile } from '../../media_display/file_kinds';
import { repository } from '../../state/repository.svelte';
import type { DroppedFile } from './dropped_files';
import { transferQueue } from './transfer_queue.svelte';
import type { Replacement } from './transfer.svelte';

/** The item, media type and use of the replaced file. */
interface ReplacementTarget {
  nid: number;
  itemTitle: string;
  bundle: string;
  useTid: number;
}

/** Queues a file that replaces the file of a media. */
export function sendReplacement(
  file: DroppedFile,
  target: ReplacementTarget,
  { mid, name, workingCopy }: Pick<Replacement, 'mid' | 'name' | 'workingCopy'>,
): void {
  const classification = classifyFile(file.name, file.mime, repository.model) ?? {
    mediaType: target.bundle,
    mime: file.mime ?? 'application/octet-stream',
    model: { tid: 0, name: '', uri: null },
  };
  const goal = {
    kind: 'media',
    nid: target.nid,
    itemTitle: target.itemTitle,
    replaces: { mid, name, workingCopy },
  } as const;
  transferQueue.add([
    { file, goal, classification: { ...classification, mediaType: target.bundle }, useTid: target.useTid },
  ]);
  transferQueue.open = true;
}
