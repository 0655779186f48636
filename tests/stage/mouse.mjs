import { run } from './process.mjs';

const TITLE = '^Isolario$';

/** Moves and presses the real mouse: the words are xdotool's own. Returns what it prints. */
export function mouse(display, words) {
  return run('xdotool', words.map(String), { env: { DISPLAY: display } });
}

/** Where on the screen a point of the program's window is; the mouse is there afterwards. */
export async function onScreen(display, { x, y }) {
  const words = [
    'search',
    '--onlyvisible',
    '--name',
    TITLE,
    'mousemove',
    '--window',
    '%1',
    x,
    y,
    'getmouselocation',
  ];
  const [, left, top] = /x:(\d+) y:(\d+)/.exec(await mouse(display, words));
  return { x: Number(left), y: Number(top) };
}
