import { filesOfState, listMediaRevisions, revertTo, type FileVersion } from '../api/history';
import { getEntity, idOf, versionOf } from '../api/resources';
import type { Entity } from '../api/types';
import { t } from '../texts';
import { bytes, dateTime } from '../texts/format';
import type { Direction, Step } from './change';
import { titleOf } from './step_of';
import type { Prepared } from './steps';

type BytesStep = Extract<Step, { act: 'bytes' }>;

/** The file of a media got other bytes: those of its state `after` in place of those of its state `before`. */
export function bytesStep(media: Entity, after: number): Step {
  const id = idOf('media', media);
  return { act: 'bytes', kind: 'media', id, title: titleOf(media), before: versionOf(media), after };
}

/** The state of a media that its replacement made; null where it is not known, such as without a connection. */
export async function stateAfter(mid: number, before: number): Promise<number | null> {
  const page = await listMediaRevisions(mid, null).catch(() => null);
  const later = (page?.revisions ?? []).map(({ vid }) => vid).filter((vid) => vid > before);
  return later.length > 0 ? Math.min(...later) : null;
}

/** Looks whether the file of a media still has the bytes that the step gave it. */
export async function prepareBytes(step: BytesStep, direction: Direction): Promise<Prepared> {
  const { id, before, after } = step;
  const [to, from] = direction === 'undo' ? [before, after] : [after, before];
  const { body, etag } = await getEntity('media', id);
  const [now, left, wanted] = await Promise.all(
    [versionOf(body), from, to].map((vid) => filesOfState(id, vid)),
  );
  const later = { title: step.title, label: t.undo.file, now: inWords(now), then: inWords(wanted) };
  return {
    step,
    later: haveSameBytes(now, left) ? [] : [later],
    run: () => revertTo('media', id, to, etag, sourceFields(body, wanted)).then(() => step),
  };
}

/** The fields of a media that name these files; all of its fields where none does. */
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

function inWords(files: FileVersion[] = []): { value: string }[] {
  return files.map(({ filename, size, made }) => ({
    value: [filename, bytes(size), dateTime(made)].join(', '),
  }));
}
