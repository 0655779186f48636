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
  const { window, whole } = await largest(display);
  const words = ['mousemove', '--window', window, x, y + whole - height, 'getmouselocation'];
  const [, left, top] = /x:(\d+) y:(\d+)/.exec(await mouse(display, words));
  return { x: Number(left), y: Number(top) };
}

/** The program's window: after a drop, GTK keeps one of a single pixel with the same name. */
async function largest(display) {
  const search = ['search', '--onlyvisible', '--name', TITLE, 'getwindowgeometry', '%@'];
  const found = await mouse(display, search);
  const windows = [...found.matchAll(/Window (\d+)[^]*?Geometry: \d+x(\d+)/g)];
  return windows
    .map(([, window, whole]) => ({ window, whole: Number(whole) }))
    .reduce((one, other) => (other.whole > one.whole ? other : one));
}
