import { turnedRectangle } from '../../media_display/picture_adjustment';
import { afterKey } from '../adjust_picture/crop_rectangle';
import { isTyping } from '../commands/key_handler';
import { seenCrop } from './seen_crop';
import type { DeepZoom } from './deep_zoom.svelte';
import type { PictureAdjuster } from './picture_adjuster.svelte';

/** Pixels of the screen that a key moves an edge. */
const STEP = 4;

/** The keys while a crop is being chosen. */
export function handleCropKey(event: KeyboardEvent, adjuster: PictureAdjuster, zoom: DeepZoom): void {
  const act = actionFor(event, adjuster, zoom);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionFor(event: KeyboardEvent, adjuster: PictureAdjuster, zoom: DeepZoom): (() => void) | null {
  const { key, target } = event;
  if (key === 'Escape') return () => adjuster.cancelCrop();
  // The picture that is still displayed may be another one, or turned otherwise.
  if (zoom.state !== 'shown') return null;
  if (isTyping(event) || event.ctrlKey || event.altKey || event.metaKey) return null;
  if (key === 'Enter') {
    // A button is pressed by Enter; the crop is none that does something.
    const isButton = target instanceof HTMLButtonElement && !target.dataset.crop;
    return isButton ? null : () => void adjuster.keep(zoom);
  }
  return arrowAction(event, adjuster, zoom) ?? plainKeyAction(event, adjuster, zoom);
}

function arrowAction(event: KeyboardEvent, { draft }: PictureAdjuster, zoom: DeepZoom): (() => void) | null {
  const seen = draft && seenCrop(draft, zoom);
  if (!draft || !seen) return null;
  const step = Math.max(1, Math.round(STEP / seen.scale));
  const next = afterKey(seen.rectangle, event, step, seen.size);
  return next && (() => (draft.rectangle = turnedRectangle(next, seen.size, 4 - zoom.turns)));
}

function plainKeyAction(
  { key, shiftKey }: KeyboardEvent,
  adjuster: PictureAdjuster,
  zoom: DeepZoom,
): (() => void) | null {
  const actions: Record<string, () => void> = {
    '+': () => zoom.zoomIn(),
    '=': () => zoom.zoomIn(),
    '-': () => zoom.zoomOut(),
    '0': () => zoom.fit(),
    '1': () => zoom.zoomToPixels(),
    r: () => zoom.rotate(shiftKey ? -1 : 1),
    c: () => adjuster.cancelCrop(),
  };
  return actions[key.toLowerCase()] ?? null;
}
