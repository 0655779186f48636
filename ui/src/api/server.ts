/** How the server runs, for administrators. */
import { api, data } from './client';

export const readServer = () => data(api().GET('/api/v1/server'));

export const listRequests = async () => (await data(api().GET('/api/v1/server/requests'))).requests;

/** Serves the local network, or no longer; 409 says why it cannot be. */
export const switchLan = (enabled: boolean) =>
  data(api().PATCH('/api/v1/server', { body: { lan: { enabled } } }));
