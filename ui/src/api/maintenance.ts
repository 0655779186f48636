/** Fixity, backups and failed jobs, for administrators. */
import { apiClient, unwrap, requestResource } from './client';

export const readFixity = () => unwrap(apiClient().GET('/api/v1/fixity'));

export const readBackups = () => unwrap(apiClient().GET('/api/v1/backups'));

/** Starts a fixity audit of all files. */
export const startFixityCheck = async () => void (await requestResource('POST', '/api/v1/fixity'));

/** Starts a backup; without a directory, into that of the schedule or of the latest backup. */
export const startBackup = async (directory: string | null) =>
  void (await requestResource('POST', '/api/v1/backups', { body: directory === null ? {} : { directory } }));

/** Derivative jobs that failed. */
export const listFailedJobs = (after: string | null) =>
  unwrap(
    apiClient().GET('/api/v1/jobs', {
      params: { query: { state: 'failed', after: after === null ? undefined : Number(after) } },
      cache: 'no-store',
    }),
  );

/** How many derivative jobs of the whole repository failed; 0 for those who do not see all of it. */
export async function countFailedJobs(): Promise<number> {
  const { counts } = await unwrap(
    apiClient().GET('/api/v1/jobs', { params: { query: { state: 'failed', limit: 1 } }, cache: 'no-store' }),
  );
  const failed = (counts ?? []).filter(({ state }) => state === 'failed');
  return failed.reduce((sum, { count }) => sum + count, 0);
}

export const retryJob = async (id: number) =>
  void (await requestResource('POST', `/api/v1/jobs/${id}/retry`));
