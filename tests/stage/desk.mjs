import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDisplay } from './display.mjs';
import { until } from './wait.mjs';
import { openWindow } from './webdriver.mjs';

/** The program under test; ISOLARIO_PROGRAM names another build. */
export const PROGRAM = process.env.ISOLARIO_PROGRAM ?? fileURLToPath(new URL('../../target/debug/isolario', import.meta.url));

/** A folder of this test's own, gone when the test `t` has ended. */
export async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'isolario-test-'));
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** A screen and an empty repository, with a way to open the real window on it as often as wanted. */
export async function openDesk(t) {
  const home = await folder(t);
  const data = join(home, 'repository');
  const display = await openDisplay();
  t.after(() => display.close());
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', XDG_CACHE_HOME: '', ISOLARIO_DATA: data };
  let page = null;
  const desk = {
    home,
    data,
    env,
    display: display.name,
    async open() {
      page = await openWindow(PROGRAM, { display: display.name, env });
      return page;
    },
    async close() {
      await page?.close();
      page = null;
    },
    requests: () => requests(data),
  };
  t.after(() => desk.close().catch(() => {}));
  return desk;
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
