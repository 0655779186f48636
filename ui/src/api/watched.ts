/** Folders whose files become items by themselves, for administrators. */
import { api, data, resource } from './client';
import type { DryRun, WatchedFolder, WatchRule } from './types';

const PATH = '/api/v1/watched-folders';
/** Files in one page of a ledger. */
export const LEDGER_PAGE = 100;

export type LedgerState = 'seen' | 'settled' | 'ingesting' | 'done' | 'skipped' | 'failed';

/** All folders; with the version of an earlier answer as soon as something has happened since. */
export const listWatchedFolders = (since: number | null, signal?: AbortSignal) =>
  data(api().GET(PATH, { params: { query: { since: since ?? undefined } }, signal, cache: 'no-store' }));

export const readWatchedFolder = async (id: number) =>
  (await resource<WatchedFolder>('GET', `${PATH}/${id}`)).body;

/** One page of the ledger of a folder, the newest file first. */
export const listWatchedFiles = (
  id: number,
  state: LedgerState,
  after: string | null,
  signal?: AbortSignal,
) =>
  data(
    api().GET(`${PATH}/{id}/files`, {
      params: {
        path: { id },
        query: { state, after: after === null ? undefined : Number(after), limit: LEDGER_PAGE },
      },
      signal,
    }),
  );

/** Watches a folder; 422 names the lines of the rule that are wrong. */
export const addWatchedFolder = async (rule: WatchRule) =>
  (await resource<WatchedFolder>('POST', PATH, { body: rule })).body;

/** Other lines of the rule for the files of a folder from now on; 422 as when it is made. */
export const changeWatchedFolder = async (id: number, rule: Partial<WatchRule>) =>
  (await resource<WatchedFolder>('PATCH', `${PATH}/${id}`, { body: rule })).body;

export const removeWatchedFolder = async (id: number) => void (await resource('DELETE', `${PATH}/${id}`));

/** Watches a folder again that was removed, by the rule it had, paused if it was; 409 where that cannot be. */
export const restoreWatchedFolder = async (id: number) =>
  (await resource<WatchedFolder>('POST', `${PATH}/${id}/restore`)).body;

/** Takes nothing for the time being, or goes on. */
export const pauseWatchedFolder = async (id: number, paused: boolean) =>
  (await resource<WatchedFolder>('POST', `${PATH}/${id}/${paused ? 'pause' : 'resume'}`)).body;

/** Another turn for a file that has failed. */
export const retryWatchedFile = async (id: number, file: number) =>
  void (await resource('POST', `${PATH}/${id}/files/${file}/retry`));

/** Another turn for all of them; how many got it. */
export const retryWatchedFolder = async (id: number) =>
  (await resource<{ count: number }>('POST', `${PATH}/${id}/retry`)).body.count;

/** What would become of what lies in the folder of a rule now. Nothing is made or moved. */
export const rehearseRule = async (rule: WatchRule, signal: AbortSignal) =>
  (await resource<DryRun>('POST', `${PATH}/dry-run`, { body: rule, signal })).body;
