import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addItem } from '../support/add_item.mjs';
import { openProgram } from '../support/program.mjs';
import { openShell } from '../support/desktop_shell.mjs';
import { until } from '../support/wait.mjs';

test('what the window says by itself is said in the language of its page', async (t) => {
  const shell = await openShell(t);
  const desk = await openProgram(t);
  desk.env.DBUS_SESSION_BUS_ADDRESS = shell.address;
  const page = await desk.open();
  await page.control('button', 'New collection');
  const mid = await page.script(addItem, {
    name: 'notes.txt',
    mime: 'application/x-desktop',
    bytes: Buffer.from('[Desktop Entry]\n').toString('base64'),
    type: 'file',
  });
  await shell.has('icon');
  assert.equal((await shell.deed('tray')).tooltip, 'On this computer only');

  await page.script(speakGerman);
  await page.control('button', 'Neue Sammlung');
  const tray = await until('the tray speaks German', async () => {
    const said = await shell.deed('tray');
    return said.menu.includes('Beenden') && said;
  });
  assert.deepEqual(tray.menu, ['Nur auf diesem Rechner', 'Isolario öffnen', null, 'Beenden']);
  assert.equal(tray.tooltip, 'Nur auf diesem Rechner');
  assert.match(await page.script(refusal, mid), /^notes\.txt könnte ein Programm sein/);
});

/** Runs in the page: as somebody chooses a language, and the page is read again. */
function speakGerman() {
  localStorage.setItem('isolario.language', 'de');
  setTimeout(() => location.reload());
}

/** Runs in the page: what is said when the file of a media is to be opened in its own program. */
function refusal(mid) {
  const original = { mid, nid: 1, itemTitle: 'notes', mediaType: 'file', useTid: null, etag: null };
  const file = { filename: 'notes.txt', mime: 'application/x-desktop', mayReplace: false };
  return window.__TAURI_INTERNALS__
    .invoke('open_in_program', { wanted: { url: '/', fid: 1, ...original, ...file } })
    .then(String, String);
}
