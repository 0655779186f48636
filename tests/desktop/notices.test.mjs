import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProgram } from '../support/program.mjs';
import { openShell } from '../support/desktop_shell.mjs';
import { dragFiles } from '../support/drag.mjs';
import { lookElsewhere } from '../support/other_window.mjs';

test('the end of transfers is told to somebody who looks elsewhere, and to nobody who sees it', async (t) => {
  const shell = await openShell(t);
  const desk = await openProgram(t);
  desk.env.DBUS_SESSION_BUS_ADDRESS = shell.address;
  const page = await desk.open();
  const drop = async (...names) => {
    const files = names.map((name) => join(desk.home, `${name}.txt`));
    for (const file of files) await writeFile(file, `This is ${file}.\n`);
    await dragFiles(desk.display, files, await page.pointIn('#pane-items'));
  };

  await drop('seen');
  await page.click('button', 'Add 1 item');
  await page.control('gridcell', 'seen');
  await drop('one', 'two', 'three');
  await page.control('button', 'Add 3 items');
  await lookElsewhere(t, desk.display);
  await page.click('button', 'Add 3 items');

  await shell.has('notice 3 files uploaded');
  assert.deepEqual(shell.notices(), ['3 files uploaded | ']);
});
