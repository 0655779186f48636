import { isTyping } from '../shortcuts';
import type { DeepZoom } from './deep_zoom.svelte';
import type { Side } from './side';

/** What the keys of the viewer do. */
export interface ViewerActs {
  zoom: DeepZoom | null;
  /** To the next page, or item where there are no pages. */
  turn: (by: 1 | -1) => void;
  item: (by: 1 | -1) => void;
  page: (to: 'first' | 'last') => void;
  two: () => void;
  side: (side: Side) => void;
}

/** Part of the screen that a key moves the picture by. */
const STEP = 0.15;
const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export function viewerKeys(event: KeyboardEvent, acts: ViewerActs): void {
  const act = actFor(event, acts);
  if (!act) return;
  event.preventDefault();
  act();
}

function actFor(event: KeyboardEvent, acts: ViewerActs): (() => void) | null {
  const { target, key } = event;
  // A player and a field have keys of their own.
  if (isTyping(event) || (target instanceof Element && target.matches('audio, video'))) return null;
  if (event.altKey || event.metaKey) return null;
  const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : null;
  if (event.ctrlKey) return by && (() => acts.item(by));
  const way = WAYS[key];
  if (event.shiftKey && way) return () => acts.zoom?.move(...way);
  if (by) return () => acts.turn(by);
  return plain(key, acts);
}

function plain(key: string, { zoom, page, two, side }: ViewerActs): (() => void) | null {
  const acts: Record<string, () => void> = {
    '+': () => zoom?.nearer(),
    '=': () => zoom?.nearer(),
    '-': () => zoom?.farther(),
    '0': () => zoom?.fit(),
    '1': () => zoom?.pixels(),
    r: () => zoom?.turn(),
    b: two,
    t: () => side('text'),
    i: () => side('info'),
    Home: () => page('first'),
    End: () => page('last'),
  };
  return acts[key.length === 1 ? key.toLowerCase() : key] ?? null;
}
