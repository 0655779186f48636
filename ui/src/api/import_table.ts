import { send, absoluteUrl } from './client';
import { toApiError } from './errors';
import type { components } from './schema';
import type { Batch } from './types';

export type TableCheck = components['schemas']['TableCheck'];
export type TableProblem = components['schemas']['TableProblem'];

/** How a table is imported. */
export interface TableImport {
  name: string;
  /** What new items become members of; null: of nothing. */
  collection: number | null;
  createTerms: boolean;
  /** What headings of other programs stand for; an empty text leaves a heading out. */
  columns?: Record<string, string>;
  /** What stands between several values of a cell, instead of `|`. */
  separator?: string;
  /** The folder of the server's machine in which the files lie that rows name. */
  files?: string | null;
}

/** What the import of a table would do, and what is wrong with it; nothing is written. */
export const checkTable = async (table: Blob, how: TableImport, signal: AbortSignal): Promise<TableCheck> =>
  (await post(table, how, true, signal)).json();

/** Begins to import a table that has no problems. */
export const importTable = async (table: Blob, how: TableImport): Promise<Batch> =>
  (await post(table, how, false)).json();

async function post(
  table: Blob,
  { name, collection, createTerms, columns, separator, files }: TableImport,
  check: boolean,
  signal?: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ name, check: String(check), create_terms: String(createTerms) });
  if (collection !== null) query.set('collection', String(collection));
  if (columns && Object.keys(columns).length > 0) query.set('columns', JSON.stringify(columns));
  if (separator) query.set('separator', separator);
  if (files) query.set('files', files);
  return postFile(`/api/v1/import/table?${query}`, table, signal);
}

/** Sends a file that is imported. */
export async function postFile(path: string, file: Blob, signal?: AbortSignal): Promise<Response> {
  const headers = { 'Content-Type': 'text/csv' };
  const response = await send(
    new Request(absoluteUrl(path), { method: 'POST', headers, body: file, signal }),
  );
  if (!response.ok) throw await toApiError(response);
  return response;
}
