import {
  filesOfMediaRevision,
  listMediaRevisions,
  revertToRevision,
  type FileVersion,
} from '../../api/history';
import { getEntity, idOf, versionOf } from '../../api/resources';
import type { Entity } from '../../api/types';
import { t } from '../../texts';
import { bytes, dateTime } from '../../texts/format';
import type { Direction, Step } from '../../state/undo_stack';
import { titleOf } from '../../state/undo_steps';
import type { PreparedStep } from './prepare_step';

type FileStep = Extract<Step, { act: 'bytes' }>;

/**
 * The step of a replaced file: revision `after` has the new bytes, the revision of `media` the former ones.
 */
export function fileStep(media: Entity, after: number): Step {
  const id = idOf('media', media);
  return { act: 'bytes', kind: 'media', id, title: titleOf(media), before: versionOf(media), after };
}

/** The revision that a replacement made; null where it is unknown, such as without a connection. */
export async function revisionAfter(mid: number, before: number): Promise<number | null> {
  const page = await listMediaRevisions(mid, null).catch(() => null);
  const later = (page?.revisions ?? []).map(({ vid }) => vid).filter((vid) => vid > before);
  return later.length > 0 ? Math.min(...later) : null;
}

/** Prepares a step; reports a conflict where the file was replaced again. */
export async function prepareFileStep(step: FileStep, direction: Direction): Promise<PreparedStep> {
  const { id, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const { body, etag } = await getEntity('media', id);
  const [now, left, wanted] = await Promise.all(
    [versionOf(body), from, to].map((vid) => filesOfMediaRevision(id, vid)),
  );
  const later = {
    title: step.title,
    label: t.undo.file,
    now: fileDescriptions(now),
    then: fileDescriptions(wanted),
  };
  return {
    step,
    later: haveSameBytes(now, left) ? [] : [later],
    run: () => revertToRevision('media', id, to, etag, sourceFields(body, wanted)).then(() => step),
  };
}

/** The fields of a media that reference these files; undefined (all fields) where none does. */
export function sourceFields(media: Entity, files: FileVersion[] = []): string[] | undefined {
  const fids = files.map(({ fid }) => fid);
  const names = Object.keys(media).filter((name) =>
    media[name]?.some((item) => item.target_type === 'file' && fids.includes(Number(item.target_id))),
  );
  return names.length > 0 ? names : undefined;
}

function haveSameBytes(some: FileVersion[] = [], others: FileVersion[] = []): boolean {
  const sums = (files: FileVersion[]) => files.map(({ fid, sha512 }) => `${fid}/${sha512}`).sort();
  return sums(some).join() === sums(others).join();
}

function fileDescriptions(files: FileVersion[] = []): { value: string }[] {
  return files.map(({ filename, size, made }) => ({
    value: [filename, bytes(size), dateTime(made)].join(', '),
  }));
}
