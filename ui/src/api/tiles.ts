/** Large pictures in tiles, at each size. */
import { absoluteUrl, apiClient, send, unwrap } from './client';
import { toApiError } from './errors';
import type { Crop } from './types';
import type { components } from './schema';

export type PictureTiles = components['schemas']['PictureTiles'];

/** A picture of a file: as it is, or as a media shows it; and of which page. */
export interface FilePicture {
  fid: number;
  media: number | null;
  /** From 1 on; null: the first. */
  page: number | null;
}

/** The tiles of a picture. The server begins to make them, and answers `waiting` after some seconds. */
export const readTiles = ({ fid, media, page }: FilePicture, signal: AbortSignal) => {
  const params = { path: { fid }, query: { media: media ?? undefined, page: page ?? undefined } };
  return unwrap(apiClient().GET('/api/v1/files/{fid}/tiles', { params, signal }));
};

/** The path of a region of a picture, turned by degrees (IIIF Image API 3.0, section 4); null: all of it. */
export function imagePath(
  { fid, page }: Pick<FilePicture, 'fid' | 'page'>,
  region: Crop | null,
  degrees: number,
  format: 'jpg' | 'png',
): string {
  const id = page === null ? `${fid}` : `${fid}:${page}`;
  const part = region ? [region.x, region.y, region.width, region.height].join(',') : 'full';
  return `/iiif/image/3/${id}/${part}/max/${degrees}/default.${format}`;
}

/** The picture at a path. */
export async function readImage(path: string): Promise<Blob> {
  const response = await send(new Request(absoluteUrl(path)));
  if (!response.ok) throw await toApiError(response);
  return response.blob();
}
