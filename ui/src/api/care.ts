/** How the repository takes care of what it keeps, for administrators. */
import { api, data, resource } from './client';

export const readFixity = () => data(api().GET('/api/v1/fixity'));

export const readBackups = () => data(api().GET('/api/v1/backups'));

/** Verifies all stored bytes now. */
export const checkNow = async () => void (await resource('POST', '/api/v1/fixity'));

/** Begins a backup; without a folder into that of the schedule, or of the latest one. */
export const backUpNow = async (directory: string | null) =>
  void (await resource('POST', '/api/v1/backups', { body: directory === null ? {} : { directory } }));

/** What could not be made of original files. */
export const listFailedJobs = (after: string | null) =>
  data(
    api().GET('/api/v1/jobs', {
      params: { query: { state: 'failed', after: after === null ? undefined : Number(after) } },
      cache: 'no-store',
    }),
  );

/** Another turn for a job. */
export const retryJob = async (id: number) => void (await resource('POST', `/api/v1/jobs/${id}/retry`));
