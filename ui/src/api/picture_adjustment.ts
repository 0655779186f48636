/** How what is made of an original picture is cropped and rotated. */
import { apiClient, unwrap } from './client';
import type { PictureAdjustment } from './types';

/** Keeps the adjustment of a picture; one without crop and rotation shows it as it is in its file. */
export const putPictureAdjustment = (mid: number, body: PictureAdjustment) =>
  unwrap(apiClient().PUT('/api/v1/media/{mid}/picture-adjustment', { params: { path: { mid } }, body }));
