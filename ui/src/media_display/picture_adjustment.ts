import type { Crop, Media, PictureAdjustment } from '../api/types';
import { seenSize, type Size } from './seen_size';

/** The picture as it is in its file. */
export const AS_ORIGINAL: PictureAdjustment = { rotation: 0, crop: null };

/** How what is made of an original is adjusted. */
export function adjustmentOf({ adjustment }: Pick<Media, 'adjustment'>): PictureAdjustment {
  return { rotation: adjustment?.rotation ?? 0, crop: adjustment?.crop ?? null };
}

/** The adjustment, rotated further clockwise. */
export function rotated(adjustment: PictureAdjustment, quarterTurns: number): PictureAdjustment {
  return { ...adjustment, rotation: (adjustment.rotation + 90 * quarterTurns + 360) % 360 };
}

/** The size of an original as it is seen, upright; null where it is not known. */
export function uprightSize({ width, height, file }: Media): Size | null {
  const { facts } = file ?? {};
  const stored = { width: Number(facts?.width ?? width), height: Number(facts?.height ?? height) };
  return stored.width > 0 && stored.height > 0 ? seenSize(stored, facts) : null;
}

/** The size of a picture of this size when it is cropped and rotated. */
export function adjustedSize(whole: Size, { rotation, crop }: PictureAdjustment): Size {
  const { width, height } = crop ?? whole;
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Where a rectangle in a picture of a size lies when the picture is turned clockwise (0 to 4 times). */
export function turnedRectangle(rectangle: Crop, { width, height }: Size, quarterTurns: number): Crop {
  if (quarterTurns === 0) return rectangle;
  const once = {
    x: height - rectangle.y - rectangle.height,
    y: rectangle.x,
    width: rectangle.height,
    height: rectangle.width,
  };
  return turnedRectangle(once, { width: height, height: width }, quarterTurns - 1);
}
