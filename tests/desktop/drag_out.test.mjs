import assert from 'node:assert/strict';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { addItem } from '../support/add_item.mjs';
import { openProgram } from '../support/program.mjs';
import { openFolderWindow } from '../support/drag.mjs';
import { drawScan } from '../support/scan.mjs';

test('a file of an item is dragged into another program, byte for byte', async (t) => {
  const desk = await openProgram(t);
  const page = await desk.open();
  const bytes = await page.script(drawScan, 'Isola nova');
  await page.script(addItem, { name: 'Isola_nova.jpg', mime: 'image/jpeg', bytes });
  const folder = join(desk.home, 'dropped');
  await mkdir(folder);
  const other = await openFolderWindow(t, desk.display, folder);

  await page.click('gridcell', 'Isola nova');
  await page.click('tab', 'Files 1');
  const handle = await page.pointIn('[data-testid="media"] .thumb');
  assert.equal(await other.drop(handle), 'Isola_nova.jpg');

  const taken = await readFile(join(folder, 'Isola_nova.jpg'));
  assert.deepEqual(taken, Buffer.from(bytes, 'base64'));
});
