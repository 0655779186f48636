import type { Crop } from '../../api/types';
import { adjustedSize, turnedRectangle } from '../../media_display/picture_adjustment';
import type { Size } from '../../media_display/seen_size';
import type { DeepZoom } from './deep_zoom.svelte';
import type { CropDraft } from './picture_adjuster.svelte';

/** A crop as it is seen: on the picture turned as the view is. */
interface SeenCrop {
  /** In pixels of the original. */
  rectangle: Crop;
  /** Size of the turned picture, in pixels of the original. */
  size: Size;
  /** Pixels of the screen for one of the original. */
  scale: number;
}

/** Null while the picture has no place on the screen. */
export function seenCrop({ rectangle, whole }: CropDraft, { turns, box }: DeepZoom): SeenCrop | null {
  if (!box || box.width <= 0) return null;
  const size = adjustedSize(whole, { rotation: 90 * turns, crop: null });
  return { rectangle: turnedRectangle(rectangle, whole, turns), size, scale: box.width / size.width };
}
