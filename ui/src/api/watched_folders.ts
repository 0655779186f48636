/** Watched folders: their files are ingested automatically. For administrators. */
import { apiClient, unwrap, requestResource } from './client';
import type { DryRun, WatchedFolder, WatchRule } from './types';

const PATH = '/api/v1/watched-folders';
export const LEDGER_PAGE = 100;

export type LedgerState = 'seen' | 'settled' | 'ingesting' | 'done' | 'skipped' | 'failed';

/** All folders. With the version of an earlier answer, the server answers when something has changed. */
export const listWatchedFolders = (since: number | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET(PATH, { params: { query: { since: since ?? undefined } }, signal, cache: 'no-store' }),
  );

export const readWatchedFolder = async (id: number) =>
  (await requestResource<WatchedFolder>('GET', `${PATH}/${id}`)).body;

/** One page of a folder's ledger, newest file first. */
export const listWatchedFiles = (
  id: number,
  state: LedgerState,
  after: string | null,
  signal?: AbortSignal,
) =>
  unwrap(
    apiClient().GET(`${PATH}/{id}/files`, {
      params: {
        path: { id },
        query: { state, after: after === null ? undefined : Number(after), limit: LEDGER_PAGE },
      },
      signal,
    }),
  );

/** Adds a watched folder; a 422 answer names the properties of the rule that are invalid. */
export const addWatchedFolder = async (rule: WatchRule) =>
  (await requestResource<WatchedFolder>('POST', PATH, { body: rule })).body;

/** Changes properties of the rule; it applies to files that are ingested later. */
export const updateWatchedFolder = async (id: number, rule: Partial<WatchRule>) =>
  (await requestResource<WatchedFolder>('PATCH', `${PATH}/${id}`, { body: rule })).body;

export const removeWatchedFolder = async (id: number) =>
  void (await requestResource('DELETE', `${PATH}/${id}`));

/** Restores a removed watched folder with its rule; 409 where that is impossible. */
export const restoreWatchedFolder = async (id: number) =>
  (await requestResource<WatchedFolder>('POST', `${PATH}/${id}/restore`)).body;

/** Pauses or resumes a watched folder. */
export const pauseWatchedFolder = async (id: number, paused: boolean) =>
  (await requestResource<WatchedFolder>('POST', `${PATH}/${id}/${paused ? 'pause' : 'resume'}`)).body;

/** Retries a failed file. */
export const retryWatchedFile = async (id: number, file: number) =>
  void (await requestResource('POST', `${PATH}/${id}/files/${file}/retry`));

/** Retries all failed files; returns their number. */
export const retryWatchedFolder = async (id: number) =>
  (await requestResource<{ count: number }>('POST', `${PATH}/${id}/retry`)).body.count;

/** Runs a rule on the files that are in the folder now, without ingesting them. */
export const dryRunRule = async (rule: WatchRule, signal: AbortSignal) =>
  (await requestResource<DryRun>('POST', `${PATH}/dry-run`, { body: rule, signal })).body;
