/** Server status, for administrators; disk space, for everybody who has signed in. */
import { apiClient, unwrap } from './client';

export const readServer = () => unwrap(apiClient().GET('/api/v1/server'));

export const readDiskSpace = () => unwrap(apiClient().GET('/api/v1/disk-space'));

export const listRequests = () => unwrap(apiClient().GET('/api/v1/server/requests'));

/** Starts or stops serving the local network; a 409 response says why it cannot. */
export const setLanEnabled = (enabled: boolean) =>
  unwrap(apiClient().PATCH('/api/v1/server', { body: { lan: { enabled } } }));
