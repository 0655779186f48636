/** Server status, for administrators. */
import { apiClient, unwrap } from './client';

export const readServer = () => unwrap(apiClient().GET('/api/v1/server'));

export const listRequests = () => unwrap(apiClient().GET('/api/v1/server/requests'));

/** Starts or stops serving the local network; a 409 response says why it cannot. */
export const setLanEnabled = (enabled: boolean) =>
  unwrap(apiClient().PATCH('/api/v1/server', { body: { lan: { enabled } } }));
