import { run } from './process.mjs';

const TITLE = '^Isolario$';

/** Moves and presses the real mouse: the words are xdotool's own. Returns what it prints. */
export function mouse(display, words) {
  return run('xdotool', words.map(String), { env: { DISPLAY: display } });
}

/**
 * Where on the screen a point of the page in the program's window is; the mouse is there afterwards. The page is `height`
 * high and ends where the window does: what is over it are the window's own menus.
 */
export async function onScreen(display, { x, y, height }) {
  const window = ['search', '--onlyvisible', '--name', TITLE];
  const [, whole] = /Geometry: \d+x(\d+)/.exec(await mouse(display, [...window, 'getwindowgeometry']));
  const words = [...window, 'mousemove', '--window', '%1', x, y + Number(whole) - height, 'getmouselocation'];
  const [, left, top] = /x:(\d+) y:(\d+)/.exec(await mouse(display, words));
  return { x: Number(left), y: Number(top) };
}
