import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dragFiles } from '../support/drag.mjs';
import { ask, makeCollection } from '../support/in_window.mjs';
import { openProgram } from '../support/program.mjs';
import { until } from '../support/wait.mjs';

test('a table dragged into the window with its files becomes items with files', async (t) => {
  const desk = await openProgram(t);
  const [table, picture] = [join(desk.home, 'maps.csv'), join(desk.home, 'lagoon.jpg')];
  await writeFile(table, 'title,field_model,file\nLagoon,Image,lagoon.jpg\nQuay,Image,\n');
  await copyFile(fileURLToPath(new URL('../samples/pictures/large.jpg', import.meta.url)), picture);
  const page = await desk.open();
  await makeCollection(page, 'Maps');

  await dragFiles(desk.display, [table, picture], await page.pointOf('treeitem', 'Maps'));
  await page.click('button', 'Import as a table');
  await until('the table is checked', () =>
    page.script(() => document.body.textContent.includes('2 new items, 0 items change')),
  );
  await page.click('button', 'Import');
  await page.control('gridcell', 'Lagoon');
  const { items } = (await ask(page, 'GET', '/api/v1/items?q=lagoon')).body;
  const { media } = (await ask(page, 'GET', `/api/v1/items/${items[0].nid}/media`)).body;
  assert.equal(media[0].file.filename, 'lagoon.jpg');
});

test('a table names no file beside it that was not dropped', async (t) => {
  const desk = await openProgram(t);
  const [table, picture] = [join(desk.home, 'maps.csv'), join(desk.home, 'lagoon.jpg')];
  await writeFile(table, 'title,field_model,file\nLagoon,Image,lagoon.jpg\nDiary,Image,diary.jpg\n');
  for (const file of [picture, join(desk.home, 'diary.jpg')]) await writeFile(file, 'A picture\n');
  const page = await desk.open();
  await makeCollection(page, 'Maps');
  await dragFiles(desk.display, [table, picture], await page.pointOf('treeitem', 'Maps'));
  await page.click('button', 'Import as a table');
  await until('the row is refused', () =>
    page.script(() => document.body.textContent.includes('It does not lie in the folder of the files.')),
  );
});
