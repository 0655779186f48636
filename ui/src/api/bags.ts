import { absoluteUrl } from './client';
import { postFile } from '../desktop';
import { errorOfText } from './errors';
import { sendUploadRequest } from './exchange';
import type { ImportReport } from './import';
import type { Batch } from './types';

/** A ZIP of the browser, or of this machine, whose bytes do not pass through the page. */
export type BagSource = { file: Blob } | { path: string };

/** How a bag is imported. */
export interface BagImport {
  name: string;
  /** Whether items get new UUIDs, beside those that are here. */
  isNew: boolean;
  /** What the files of a bag of another program become members of; null: of nothing. */
  collection: number | null;
}

/** How a bag is sent. */
export interface BagSending {
  signal: AbortSignal;
  /** Hears how many bytes were sent. It hears nothing of a bag of this machine. */
  onSent: (sent: number) => void;
}

/** The address of an item with everything below it as a bag. */
export const bagUrl = (nid: number): string => absoluteUrl(`/api/v1/items/${nid}/bag`);

/** What the import of a bag would bring; nothing is written. */
export const checkBag = (bag: BagSource, how: BagImport, sending: BagSending): Promise<ImportReport> =>
  post(bag, how, true, sending);

/** Begins to import a bag that is whole. */
export const importBag = (bag: BagSource, how: BagImport, sending: BagSending): Promise<Batch> =>
  post(bag, how, false, sending);

const MIME = 'application/zip';

async function post<T>(
  bag: BagSource,
  { name, isNew, collection }: BagImport,
  check: boolean,
  sending: BagSending,
): Promise<T> {
  const query = new URLSearchParams({ name, check: String(check), new: String(isNew) });
  if (collection !== null) query.set('collection', String(collection));
  const path = `/api/v1/import/bag?${query}`;
  if ('path' in bag) {
    const { status, body } = await postFile(bag.path, absoluteUrl(path), MIME);
    if (status >= 400) throw errorOfText(body, { status, statusText: '', header: () => null });
    return JSON.parse(body);
  }
  const headers = { 'Content-Type': MIME };
  const answer = await sendUploadRequest({ method: 'POST', path, headers, body: bag.file, ...sending });
  if (answer.status >= 400) throw errorOfText(answer.text, answer);
  return JSON.parse(answer.text);
}
