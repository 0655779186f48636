/** Large pictures in tiles, at each size. */
import { apiClient, unwrap } from './client';
import type { components } from './schema';

export type PictureTiles = components['schemas']['PictureTiles'];

/**
 * The tiles of a file, as it is or as a media shows it. The server begins to make them, and answers `waiting` after some
 * seconds.
 */
export const readTiles = (fid: number, media: number | null, signal: AbortSignal) => {
  const params = { path: { fid }, query: { media: media ?? undefined } };
  return unwrap(apiClient().GET('/api/v1/files/{fid}/tiles', { params, signal }));
};
