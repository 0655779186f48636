import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepPicture, openProgram } from '../support/program.mjs';
import { openShell } from '../support/desktop_shell.mjs';
import { until } from '../support/wait.mjs';

/** Nobody else hears of it: this machine plays the network. */
const SHARED = '[lan]\nenabled = true\naddress = "127.0.0.1"\nannounce = false\n';

test('while others are served, a closed window leaves its icon in the tray, and comes back by it', async (t) => {
  const shell = await openShell(t);
  const desk = await openProgram(t);
  desk.env.DBUS_SESSION_BUS_ADDRESS = shell.address;
  await mkdir(desk.data);
  await writeFile(join(desk.data, 'config.toml'), SHARED);
  const page = await desk.open();
  const { base_url } = await page.script(() => window.__TAURI_INTERNALS__.invoke('connection'));
  await page.control('button', 'New collection');

  await shell.has('icon');
  const tray = await shell.deed('tray');
  assert.match(tray.tooltip, /^Shared on the local network: https:\/\/127\.0\.0\.1:/);
  assert.deepEqual(tray.menu, [tray.tooltip, 'Open Isolario', null, 'Quit']);
  assert.ok(tray.icon > 0);

  await desk.pressUntil('alt+F4', 'the question is asked', () => page.has('button', 'Keep running'));
  await keepPicture(page, 'close-question');
  // It has the keyboard.
  await desk.pressUntil('Return', 'the window is away', async () => !(await desk.visible()));
  assert.equal((await fetch(`${base_url}/api/v1/session`)).status, 200);

  await page.script(notify, 'Three files have arrived', '1 < 2');
  await shell.has('notice Three files have arrived | 1 &lt; 2');

  await shell.deed('activate');
  await until('the window is back', () => desk.visible());
  // Asked once.
  await desk.pressUntil('alt+F4', 'the window is away again', async () => !(await desk.visible()));
  await shell.deed('click Open Isolario');
  await until('the window is back again', () => desk.visible());

  await shell.deed('click Quit');
  await until('the repository is let go', () => !existsSync(join(desk.data, 'control.sock')));
});

/** Runs in the page. */
function notify(title, body) {
  return window.__TAURI_INTERNALS__.invoke('notify', { title, body });
}
