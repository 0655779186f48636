import { fileURLToPath } from 'node:url';
import { mouse } from './mouse.mjs';
import { start } from './process.mjs';
import { until } from './wait.mjs';

const SOURCE = fileURLToPath(new URL('./drag-source.py', import.meta.url));
const FROM = { x: 60, y: 30 };
const STEPS = 24;

/** Drags files with the mouse from a window of another program to a point of the screen, and lets go there. */
export async function dragFiles(display, files, to) {
  const env = { DISPLAY: display };
  const source = start('/usr/bin/python3', [SOURCE, ...files], { env });
  try {
    await until('the files can be dragged', () => source.printed.includes('ready'));
    await mouse(display, ['mousemove', FROM.x, FROM.y, 'sleep', '0.3', 'mousedown', '1', 'sleep', '0.2']);
    await mouse(display, path(FROM, { x: FROM.x + 40, y: FROM.y + 30 }));
    await until('the drag has begun', () => source.printed.includes('begun'));
    await mouse(display, path({ x: FROM.x + 40, y: FROM.y + 30 }, to));
    await mouse(display, [
      'mousemove',
      to.x + 2,
      to.y + 2,
      'sleep',
      '0.4',
      'mousemove',
      to.x,
      to.y,
      'sleep',
      '0.4',
    ]);
    await mouse(display, ['mouseup', '1']);
    await until('the drag has ended', () => source.printed.includes('ended'));
    if (!source.printed.includes('asked')) throw new Error('nobody asked for the files that were dropped');
  } finally {
    await source.stop();
  }
}

/** Small steps: a drag that jumps is not noticed by the window under it. */
function path(from, to) {
  const points = Array.from({ length: STEPS }, (_, index) => (index + 1) / STEPS);
  return points.flatMap((part) => [
    'mousemove',
    Math.round(from.x + (to.x - from.x) * part),
    Math.round(from.y + (to.y - from.y) * part),
    'sleep',
    '0.02',
  ]);
}
