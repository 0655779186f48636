import { absoluteUrl, send } from './client';
import { postFile } from '../desktop';
import { errorOfText, toApiError } from './errors';
import type { ImportReport } from './import';
import type { Batch } from './types';

/** A ZIP of the browser, or of this machine, whose bytes do not pass through the page. */
export type BagSource = { file: Blob } | { path: string };

/** How a bag is imported. */
export interface BagImport {
  name: string;
  /** Whether items get new UUIDs, beside those that are here. */
  isNew: boolean;
}

/** The address of an item with everything below it as a bag. */
export const bagUrl = (nid: number): string => absoluteUrl(`/api/v1/items/${nid}/bag`);

/** What the import of a bag would bring; nothing is written. */
export const checkBag = (bag: BagSource, how: BagImport, signal: AbortSignal): Promise<ImportReport> =>
  post(bag, how, true, signal);

/** Begins to import a bag that is whole. */
export const importBag = (bag: BagSource, how: BagImport): Promise<Batch> => post(bag, how, false);

const MIME = 'application/zip';

async function post<T>(
  bag: BagSource,
  { name, isNew }: BagImport,
  check: boolean,
  signal?: AbortSignal,
): Promise<T> {
  const query = new URLSearchParams({ name, check: String(check), new: String(isNew) });
  const url = absoluteUrl(`/api/v1/import/bag?${query}`);
  if ('path' in bag) {
    const { status, body } = await postFile(bag.path, url, MIME);
    if (status >= 400) throw errorOfText(body, { status, statusText: '', header: () => null });
    return JSON.parse(body);
  }
  const headers = { 'Content-Type': MIME };
  const response = await send(new Request(url, { method: 'POST', headers, body: bag.file, signal }));
  if (!response.ok) throw await toApiError(response);
  return response.json();
}
