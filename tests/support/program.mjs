import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mouse } from './mouse.mjs';
import { openDisplay } from './display.mjs';
import { until, within } from './wait.mjs';
import { openWindow } from './webdriver.mjs';

/** The program under test; ISOLARIO_PROGRAM names another build. */
export const PROGRAM =
  process.env.ISOLARIO_PROGRAM ?? fileURLToPath(new URL('../../target/debug/isolario', import.meta.url));

const WINDOW = ['search', '--onlyvisible', '--name', '^Isolario$'];
/** Where the program keeps the place of its window, under the home directory. */
const STATE = '.config/org.isolario.Isolario/.window-state.json';

/** Milliseconds after which a key without an effect is pressed again. */
const TAKEN = 5000;

/** A folder of this test's own; the one who made it removes it. */
export function makeFolder() {
  return mkdtemp(join(tmpdir(), 'isolario-test-'));
}

export function removeFolder(path) {
  return rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/** How often the window is opened before that counts as a failure. */
const TRIES = 5;

/** WebKit's driver loses one program of several hundred that it has started, more of them on a busy machine. */
async function openAgain(tries, open, close) {
  try {
    return await open();
  } catch (error) {
    if (tries === 1) throw error;
    process.stderr.write(`The window did not open, and is opened again: ${error.message}\n`);
    await close();
    return openAgain(tries - 1, open, close);
  }
}

/** A screen and an empty repository. The real window opens on it as often as a test asks for it. */
export async function openProgram(t) {
  const home = await makeFolder();
  const data = join(home, 'repository');
  const display = await openDisplay();
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: '',
    XDG_DATA_HOME: '',
    XDG_CACHE_HOME: '',
    // No session bus: one that GTK starts by itself outlives the test and mounts things in its folder.
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    ISOLARIO_DATA: data,
    ISOLARIO_NO_DERIVATIVES: 'true',
  };
  let page = null;
  const desk = {
    home,
    data,
    env,
    display: display.name,
    windowState: join(home, STATE),
    async open() {
      page = await openAgain(TRIES, () => openWindow(PROGRAM, { display: display.name, env }), desk.close);
      return page;
    },
    async close() {
      const closing = page;
      page = null;
      await closing?.close();
      // WebKit's driver now and then lets go of a program without closing it.
      for (const pid of await runningOn(data)) process.kill(pid, 'SIGTERM');
      // One that is still closing would be brought to the front instead of another one starting.
      await until('the program has ended', async () => (await runningOn(data)).length === 0);
    },
    /** The window manager's number of the window; fails when none is shown. */
    async window() {
      const found = await mouse(display.name, WINDOW);
      return found.trim().split('\n')[0];
    },
    visible: () => desk.window().then(Boolean, () => false),
    /** Keys of a person who has the window before them. */
    async press(keys) {
      await mouse(display.name, [...WINDOW, 'windowactivate', '--sync']);
      // In a call of its own: after a search the key would go to that window past its manager.
      await mouse(display.name, ['key', keys]);
    },
    /** Presses keys until `isDone`: on a busy machine a key comes before the window has the keyboard, and is lost. */
    pressUntil: (keys, what, isDone) =>
      until(what, async () => {
        await desk.press(keys);
        return within(TAKEN, isDone);
      }),
    /** As a person closes it: by the window manager, and the program ends by itself. */
    async closeByPerson() {
      await desk.pressUntil(
        'alt+F4',
        'the repository is let go',
        () => !existsSync(join(data, 'control.sock')),
      );
      await until('the program has ended', () => existsSync(desk.windowState));
      await desk.close().catch(() => {});
    },
    requests: () => requests(data),
  };
  // A test that failed halfway may have lost its window already.
  t.after(async () => {
    await desk.close().catch(() => {});
    await display.close();
    await removeFolder(home);
  });
  return desk;
}

/** The processes of the program with this repository, by id. */
async function runningOn(data) {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process that has ended meanwhile, or is somebody else's, has nothing to read.
    const read = (name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
    const [command, environment] = await Promise.all([read('cmdline'), read('environ')]);
    const isIt =
      command.split('\0')[0] === PROGRAM && environment.split('\0').includes(`ISOLARIO_DATA=${data}`);
    if (isIt) found.push(Number(pid));
  }
  return found;
}

/** The lines of the server's request log. */
export async function requests(data) {
  const log = await readFile(join(data, 'logs', 'requests.log'), 'utf8');
  return log.split('\n').filter(Boolean);
}

/** Keeps a picture of what was seen when a test failed, if CI or a person asked for it. */
export async function keepPicture(page, name) {
  const where = process.env.ISOLARIO_PICTURES;
  if (where) await writeFile(join(where, `${name}.png`), await page.screenshot());
}

/** The lines of the log that hold all these words, once there are any. */
export function logged(data, ...words) {
  return until(`the log tells of ${words.join(' ')}`, async () => {
    const lines = (await requests(data)).filter((line) => words.every((word) => line.includes(word)));
    return lines.length > 0 && lines;
  });
}
