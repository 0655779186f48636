import { turnedRectangle } from '../../media_display/picture_adjustment';
import { afterKey } from '../adjust_picture/crop_rectangle';
import { isTyping } from '../commands/key_handler';
import { seenCrop } from './seen_crop';
import type { DeepZoom } from './deep_zoom.svelte';
import type { CropDraft } from './picture_adjuster.svelte';

/** Pixels of the screen that a key moves an edge. */
const STEP = 4;

/** A rectangle that is being chosen, and what ends that. */
export interface CropActions {
  draft: CropDraft;
  /** The letter that began it. */
  letter: string;
  accept: () => void;
  cancel: () => void;
}

/** The keys while a rectangle is being chosen on the picture. */
export function handleCropKey(event: KeyboardEvent, actions: CropActions, zoom: DeepZoom): void {
  const act = actionFor(event, actions, zoom);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionFor(event: KeyboardEvent, actions: CropActions, zoom: DeepZoom): (() => void) | null {
  const { key, target } = event;
  if (key === 'Escape') return actions.cancel;
  // The picture that is still displayed may be another one, or turned otherwise.
  if (zoom.state !== 'shown') return null;
  if (isTyping(event) || event.ctrlKey || event.altKey || event.metaKey) return null;
  if (key === 'Enter') {
    // A button is pressed by Enter; the crop is none that does something.
    const isButton = target instanceof HTMLButtonElement && !target.dataset.crop;
    return isButton ? null : actions.accept;
  }
  return arrowAction(event, actions, zoom) ?? plainKeyAction(event, actions, zoom);
}

function arrowAction(event: KeyboardEvent, { draft }: CropActions, zoom: DeepZoom): (() => void) | null {
  const seen = seenCrop(draft, zoom);
  if (!seen) return null;
  const step = Math.max(1, Math.round(STEP / seen.scale));
  const next = afterKey(seen.rectangle, event, step, seen.size);
  return next && (() => (draft.rectangle = turnedRectangle(next, seen.size, 4 - zoom.turns)));
}

function plainKeyAction(
  { key, shiftKey }: KeyboardEvent,
  { letter, cancel }: CropActions,
  zoom: DeepZoom,
): (() => void) | null {
  const actions: Record<string, () => void> = {
    '+': () => zoom.zoomIn(),
    '=': () => zoom.zoomIn(),
    '-': () => zoom.zoomOut(),
    '0': () => zoom.fit(),
    '1': () => zoom.zoomToPixels(),
    r: () => zoom.rotate(shiftKey ? -1 : 1),
    [letter]: cancel,
  };
  return actions[key.toLowerCase()] ?? null;
}
