import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { makeFolder, removeFolder } from '../support/program.mjs';
import { dropFiles } from '../support/drop.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const MANY = 500;

/** A folder "Notes" with so many small texts, no two alike. */
async function notes(t, count) {
  const home = await makeFolder();
  t.after(() => removeFolder(home));
  const folder = join(home, 'Notes');
  await mkdir(folder);
  for (let number = 1; number <= count; number += 1) {
    await writeFile(join(folder, `Note ${number}.txt`), `This is note number ${number}.\n`);
  }
  return folder;
}

/** The requests of a page that wait for their response. */
function requestsInFlight(page, matches) {
  const requests = new Set();
  page.on('request', (request) => matches(request) && requests.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => requests.delete(request));
  return requests;
}

test('five hundred files are dropped with their folder, held, and brought to their end by dropping them again', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const folder = await notes(t, MANY);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByText('Drop files or folders here').waitFor();
  const [sheet, tray] = [page.getByTestId('drop-sheet'), page.getByTestId('tray')];
  const creations = requestsInFlight(page, (request) => request.method() === 'POST');
  const total = async () => (await (await rest.send('GET', '/api/v1/items?limit=1')).json()).total;

  await dropFiles(page, page.getByRole('main'), [folder]);
  await sheet.getByText('500 new items').waitFor();
  await sheet.getByText('1 new collection').waitFor();
  await page.getByRole('button', { name: 'Add 500 items' }).click();
  await until('some have arrived', async () => (await total()) > 20);
  await tray.getByRole('button', { name: 'Pause all' }).click();
  await tray.getByText('Paused', { exact: true }).first().waitFor();
  await accessible(page, 'paused transfers');
  await tray.getByRole('button', { name: 'Resume all' }).click();
  const before = await total();
  await until('more have arrived', async () => (await total()) > before);

  await tray.getByRole('button', { name: 'Pause all' }).click();
  await tray.getByRole('button', { name: 'Resume all' }).waitFor();
  // A page that is closed before it is told the number of a new item cannot offer to remove it.
  await until('no item is being created', async () => creations.size === 0);
  await page.evaluate(() => localStorage.length);
  page.once('dialog', (question) => question.accept());
  await page.reload();
  await tray.getByText('The page was closed before the upload started.').first().waitFor();
  // What had begun has an item without a file.
  const removals = tray.getByRole('button', { name: 'Remove item' });
  for (let left = await removals.count(); left > 0; left -= 1) {
    await removals.first().click();
    await until('its row is gone', async () => (await removals.count()) < left);
  }
  await tray.getByRole('button', { name: 'Clear finished' }).click();
  const there = (await total()) - 1;
  assert.ok(there > 20 && there < MANY, `${there} had arrived`);

  await dropFiles(page, page.getByRole('treeitem', { name: 'Notes' }), [folder]);
  await sheet.getByTestId('known').getByText(`${there} already in the repository`).waitFor();
  await accessible(page, 'what is here already');
  await sheet.getByLabel('Skip files that are already in the repository').check();
  await page.getByRole('button', { name: `Add ${MANY - there} items` }).click();
  const cell = page.getByTestId('transfers-cell');
  await cell.getByText(`Transfers: ${MANY - there} of ${MANY - there}`).waitFor();
  // The folder became a collection twice.
  assert.equal(await total(), MANY + 2);

  const late = join(folder, 'Late.txt');
  await writeFile(late, 'This came later.\n');
  await dropFiles(page, page.getByRole('treeitem', { name: 'Notes' }).first(), [late]);
  await page.getByRole('button', { name: 'Add 1 item' }).click();
  await page.getByText('Added 1 item').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: new “Late”').waitFor();
  assert.equal(await total(), MANY + 2);
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('Redone: new “Late”').waitFor();
  const [item] = (await (await rest.send('GET', '/api/v1/items?q=Late')).json()).items;
  const { media } = await (await rest.send('GET', `/api/v1/items/${item.nid}/media`)).json();
  assert.equal(media[0].name, 'Late.txt');
});

test('a dropped folder goes into the collection of its name that is here, unless somebody wants a new one', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const folder = await notes(t, 2);
  await mkdir(join(folder, 'Inner'));
  await writeFile(join(folder, 'Inner', 'Deep.txt'), 'This lies deep.\n');
  const model = await rest.term('islandora_models', 'Collection');
  const collection = async (title, parents = []) => {
    const above = parents.map((nid) => ({ target_id: nid }));
    const made = await rest.createItem(title, {
      field_model: [{ target_id: model }],
      field_member_of: above,
    });
    return made.nid[0].value;
  };
  const place = await collection('Shelf');
  const present = await collection('Notes', [place]);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const sheet = page.getByTestId('drop-sheet');
  const drop = async () => dropFiles(page, page.getByRole('treeitem', { name: 'Shelf' }), [folder]);
  const titles = async (nid) => {
    const { items } = await (await rest.send('GET', `/api/v1/items?collection=${nid}&sort=title`)).json();
    return items.map(({ title }) => title);
  };

  await drop();
  const home = sheet.getByLabel('Destination of Notes');
  await home.getByText('Add to the existing collection “Notes”').waitFor({ state: 'attached' });
  await sheet.getByText('1 existing collection').waitFor();
  await sheet.getByText('1 new collection').waitFor();
  await accessible(page, 'a folder whose name a collection has');
  await page.getByRole('button', { name: 'Add 3 items' }).click();
  await page.getByText('Added 3 items').waitFor();
  assert.deepEqual(await titles(present), ['Inner', 'Note 1', 'Note 2']);

  await drop();
  await sheet.getByText('2 existing collections').waitFor();
  await home.selectOption('Create a new collection “Notes”');
  await sheet.getByText('2 new collections').waitFor();
  await page.getByRole('button', { name: 'Add 3 items' }).click();
  await until('there are two of the name', async () => (await titles(place)).length === 2);

  await drop();
  await sheet.getByText('2 collections have this name.').waitFor();
  await home.selectOption(String(present));
  await page.keyboard.press('Escape');
  assert.deepEqual(await titles(place), ['Notes', 'Notes']);
});
