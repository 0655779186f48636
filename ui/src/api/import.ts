/** Imports from another site, for administrators. */
import { apiClient, unwrap, requestResource } from './client';
import type { components } from './schema';

export type ImportRequest = components['schemas']['ImportRequest'];
export type ImportReport = components['schemas']['ImportReport'];

export const readImport = () => unwrap(apiClient().GET('/api/v1/import', { cache: 'no-store' }));

/** Starts an import, or a check. */
export const startImport = async (body: ImportRequest) =>
  void (await requestResource('POST', '/api/v1/import', { body }));

export const cancelImport = async () => void (await requestResource('POST', '/api/v1/import/cancel'));

/** All gaps and losses of the last import, as CSV. */
export const readImportReport = () =>
  unwrap(apiClient().GET('/api/v1/import/report', { parseAs: 'text', cache: 'no-store' }));
