/** Large pictures in tiles, at each size. */
import { apiClient, unwrap } from './client';
import type { components } from './schema';

export type PictureTiles = components['schemas']['PictureTiles'];

/** The tiles of a file. The server begins to make them, and answers `waiting` after some seconds. */
export const readTiles = (fid: number, signal: AbortSignal) =>
  unwrap(apiClient().GET('/api/v1/files/{fid}/tiles', { params: { path: { fid } }, signal }));
