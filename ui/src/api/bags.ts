import { absoluteUrl, send } from './client';
import { toApiError } from './errors';
import type { ImportReport } from './import';
import type { Batch } from './types';

/** How a bag is imported. */
export interface BagImport {
  name: string;
  /** Whether items get new UUIDs, beside those that are here. */
  isNew: boolean;
}

/** The address of an item with everything below it as a bag. */
export const bagUrl = (nid: number): string => absoluteUrl(`/api/v1/items/${nid}/bag`);

/** What the import of a bag would bring; nothing is written. */
export const checkBag = async (bag: Blob, how: BagImport, signal: AbortSignal): Promise<ImportReport> =>
  (await post(bag, how, true, signal)).json();

/** Begins to import a bag that is whole. */
export const importBag = async (bag: Blob, how: BagImport): Promise<Batch> =>
  (await post(bag, how, false)).json();

async function post(
  bag: Blob,
  { name, isNew }: BagImport,
  check: boolean,
  signal?: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ name, check: String(check), new: String(isNew) });
  const url = absoluteUrl(`/api/v1/import/bag?${query}`);
  const headers = { 'Content-Type': 'application/zip' };
  const response = await send(new Request(url, { method: 'POST', headers, body: bag, signal }));
  if (!response.ok) throw await toApiError(response);
  return response;
}
