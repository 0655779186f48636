import { isTyping } from '../commands/key_handler';
import type { DeepZoom } from './deep_zoom.svelte';
import type { SidePanelTab } from './side_panel';

/** Actions of the viewer's keys. */
export interface ViewerActions {
  zoom: DeepZoom | null;
  /** Turns the page, or steps to the next item where there are no pages. */
  turn: (by: 1 | -1) => void;
  item: (by: 1 | -1) => void;
  page: (to: 'first' | 'last') => void;
  two: () => void;
  crop: () => void;
  /** Begins to choose a region that is copied. */
  region: () => void;
  /** Opens or closes the comparison. */
  compare: () => void;
  undo: (again: boolean) => void;
  side: (side: SidePanelTab) => void;
  /** Goes to the next or previous hit of the search. */
  hit: (by: 1 | -1) => void;
}

/** Fraction of the viewport per key press. */
const PAN_STEP = 0.15;
const PAN_DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-PAN_STEP, 0],
  ArrowRight: [PAN_STEP, 0],
  ArrowUp: [0, -PAN_STEP],
  ArrowDown: [0, PAN_STEP],
};

export function handleViewerKey(event: KeyboardEvent, actions: ViewerActions): void {
  const act = actionFor(event, actions);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionFor(event: KeyboardEvent, actions: ViewerActions): (() => void) | null {
  const { target, key } = event;
  // Players and inputs handle their own keys.
  if (isTyping(event) || (target instanceof Element && target.matches('audio, video'))) return null;
  if (event.altKey || event.metaKey) return null;
  const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : null;
  if (event.ctrlKey) return by ? () => actions.item(by) : undoAction(event, actions);
  const direction = PAN_DIRECTIONS[key];
  if (event.shiftKey && direction) return () => actions.zoom?.pan(...direction);
  if (by) return () => actions.turn(by);
  if (key.toLowerCase() === 'r') return () => actions.zoom?.rotate(event.shiftKey ? -1 : 1);
  if (key.toLowerCase() === 'n' || key === 'F3') return () => actions.hit(event.shiftKey ? -1 : 1);
  return plainKeyAction(key, actions);
}

/** The keys of the page, which do not reach it from here. */
function undoAction({ key, shiftKey }: KeyboardEvent, { undo }: ViewerActions): (() => void) | null {
  const letter = key.toLowerCase();
  if (letter === 'z') return () => undo(shiftKey);
  return letter === 'y' ? () => undo(true) : null;
}

function plainKeyAction(key: string, actions: ViewerActions): (() => void) | null {
  const { zoom, page, two, crop, region, compare, side } = actions;
  const keys: Record<string, () => void> = {
    '+': () => zoom?.zoomIn(),
    '=': () => zoom?.zoomIn(),
    '-': () => zoom?.zoomOut(),
    '0': () => zoom?.fit(),
    '1': () => zoom?.zoomToPixels(),
    b: two,
    c: crop,
    g: region,
    v: compare,
    t: () => side('text'),
    i: () => side('info'),
    e: () => side('transcription'),
    Home: () => page('first'),
    End: () => page('last'),
  };
  return keys[key.length === 1 ? key.toLowerCase() : key] ?? null;
}
