/** Server status, for administrators; disk space, for everybody who has signed in. */
import { apiClient, unwrap } from './client';
import type { IdentityChanges } from './types';

export const readServer = () => unwrap(apiClient().GET('/api/v1/server'));

export const readDiskSpace = () => unwrap(apiClient().GET('/api/v1/disk-space'));

export const listRequests = () => unwrap(apiClient().GET('/api/v1/server/requests'));

/** Changes the name or the picture (in base64; null: none) of the repository. */
export const changeIdentity = (body: IdentityChanges) =>
  unwrap(apiClient().PATCH('/api/v1/repository', { body }));

/** Starts or stops serving the local network; a 409 response says why it cannot. */
export const setLanEnabled = (enabled: boolean) =>
  unwrap(apiClient().PATCH('/api/v1/server', { body: { lan: { enabled } } }));
