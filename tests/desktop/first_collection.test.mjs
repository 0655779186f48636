import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepPicture, logged, openProgram } from '../support/program.mjs';
import { dragFiles } from '../support/drag.mjs';
import { makeCollection } from '../support/in_window.mjs';
import { drawScan } from '../support/scan.mjs';

test('a scan dropped on a collection is an item of it, and still is after a restart', (t) =>
  dropAndFindAgain(t, { visible: true }));

test('an item that nobody else may see shows its picture in the window as well', (t) =>
  dropAndFindAgain(t, { visible: false }));

async function dropAndFindAgain(t, { visible }) {
  const desk = await openProgram(t);
  let page = await desk.open();
  await makeCollection(page, 'Maps of the islands');

  await dropScan(desk, page, 'Maps of the islands');
  if (visible) await page.choose('Visibility', 'Public');
  await page.click('button', 'Add 1 item');
  await page.waitForPictureIn('gridcell', 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova, 1571');
  await keepPicture(page, visible ? 'dropped' : 'dropped-unseen');

  await desk.close();
  page = await desk.open();
  await page.click('treeitem', 'Maps of the islands');
  await page.waitForPictureIn('gridcell', 'Isola nuova, 1571');

  const [put] = await logged(desk.data, 'PUT', '/media/image/');
  assert.match(put, / 201 /);
  assert.equal(await seenByEverybody(page), visible);
}

/** A picture drawn in the page itself, put on disk and dragged in from another program. */
async function dropScan(desk, page, collection) {
  const scan = join(desk.home, 'Isola_nova.jpg');
  await writeFile(scan, Buffer.from(await page.script(drawScan, 'Isola nova'), 'base64'));
  await dragFiles(desk.display, [scan], await page.pointOf('treeitem', collection));
}

/** As a person does: choose the item, type over its title, go on to the next field. */
async function retitle(page, from, to) {
  await page.click('gridcell', from);
  await page.fill('Title', to);
  await page.leave();
  await page.control('gridcell', to);
}

/** Whether a request without any credentials sees the item. */
async function seenByEverybody(page) {
  const { base_url } = await page.script(() => window.__TAURI_INTERNALS__.invoke('connection'));
  const response = await fetch(`${base_url}/api/v1/items?view=all&q=nuova`);
  const { items } = await response.json();
  return items.length === 1;
}
