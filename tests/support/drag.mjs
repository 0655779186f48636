import { fileURLToPath } from 'node:url';
import { mouse } from './mouse.mjs';
import { start } from './process.mjs';
import { until } from './wait.mjs';

const SOURCE = fileURLToPath(new URL('./drag-source.py', import.meta.url));
const TARGET = fileURLToPath(new URL('./drop-target.py', import.meta.url));
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

/**
 * A window of another program that takes files into `folder`. `drop(display, from)` drags what is at a point of the
 * screen onto it, and answers the name of the file that it took.
 */
export async function openFolderWindow(t, display, folder) {
  const target = start('/usr/bin/python3', [TARGET, folder], { env: { DISPLAY: display } });
  t.after(() => target.stop());
  const [, x, y] = await until('files can be dropped', () => /ready (\d+) (\d+)/.exec(target.printed));
  const to = { x: Number(x), y: Number(y) };
  return {
    async drop(from) {
      await mouse(display, ['mousemove', from.x, from.y, 'sleep', '0.2', 'mousedown', '1', 'sleep', '0.2']);
      await mouse(display, path(from, to));
      // The drag may begin only now, and is noticed when the mouse moves.
      await until('the file hangs over the folder', async () => {
        await mouse(display, path(to, { x: to.x + 4, y: to.y + 4 }));
        return target.printed.includes('over');
      });
      await mouse(display, ['mouseup', '1']);
      const [, name] = await until('the file is taken', () => /took (.+)\n/.exec(target.printed));
      return name;
    },
  };
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
