import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { zipOf } from '../support/zip.mjs';

const cell = (page, title) => page.getByRole('gridcell', { name: title }).first();
const saving = (page) => page.getByTestId('save-bag');
const importing = (page) => page.getByTestId('import-bag');

/** A page of a repository with a collection of a map. */
async function withHarbour(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const harbour = await rest.createItem('Harbour', { field_model: await model('Collection') });
  const inside = [{ target_id: harbour.nid[0].value }];
  await rest.createItem('Quay', { field_model: await model('Image'), field_member_of: inside });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/?view=all`);
  await cell(page, 'Quay').waitFor();
  return page;
}

/** Saves an item from its menu, and answers the name and bytes of the bag. */
async function savedBag(page, title) {
  await cell(page, title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Save as a bag…' }).click();
  await saving(page).waitFor();
  await accessible(page, 'saving a bag');
  const coming = page.waitForEvent('download');
  await saving(page).getByRole('button', { name: 'Save', exact: true }).click();
  const download = await coming;
  await saving(page).waitFor({ state: 'detached' });
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function openImport(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill('Import a bag');
  await page.getByRole('option', { name: 'Import a bag…' }).click();
  await importing(page).waitFor();
}

async function choose(page, { name, bytes }, button = 'Choose a bag…') {
  const asked = page.waitForEvent('filechooser');
  await importing(page).getByRole('button', { name: button }).click();
  await (await asked).setFiles({ name, mimeType: 'application/zip', buffer: bytes });
}

const act = (page) => importing(page).getByRole('button', { name: 'Import', exact: true });

test('a collection is saved as a bag, comes again as new items, and is taken back as one change', async (t) => {
  const page = await withHarbour(t);
  const bag = await savedBag(page, 'Harbour');
  assert.equal(bag.name, 'Harbour.zip');
  assert.equal(bag.bytes.subarray(0, 2).toString(), 'PK');
  await openImport(page);
  await accessible(page, 'import of a bag');
  await choose(page, bag);
  await importing(page).getByText('Items: 0 new, 0 changed, 2 unchanged, 0 failed').waitFor();
  assert.equal(await act(page).isDisabled(), true);
  await importing(page).getByLabel('As new items').check();
  await importing(page).getByText('Items: 2 new, 0 changed, 0 unchanged, 0 failed').waitFor();
  await accessible(page, 'what a bag would bring');
  await act(page).click();
  await page.getByText('Imported “Harbour.zip”').waitFor();
  await page.getByRole('gridcell', { name: 'Quay' }).nth(1).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByRole('gridcell', { name: 'Quay' }).nth(1).waitFor({ state: 'detached' });
  await cell(page, 'Quay').waitFor();
});

test('a damaged bag is refused with the names of its damaged files', async (t) => {
  const page = await withHarbour(t);
  const bag = await savedBag(page, 'Quay');
  const damaged = Buffer.from(bag.bytes);
  // The files are stored as they are, so one of them has this word, and so has its copy in the table.
  damaged.write('Qaay', damaged.indexOf('"Quay"') + 1);
  await openImport(page);
  await choose(page, { name: 'quay.zip', bytes: damaged });
  await importing(page).getByText('item.json: Its bytes have changed.').waitFor();
  await accessible(page, 'a damaged bag');
  assert.equal(await act(page).isDisabled(), true);
  await choose(page, { name: 'x.zip', bytes: Buffer.from('no ZIP') }, 'Choose another one…');
  await importing(page).getByText('It is no whole ZIP').waitFor();
});

test('the files of another bag come into the collection that is chosen', async (t) => {
  const page = await withHarbour(t);
  const sum = createHash('sha256').update('Dear Ada').digest('hex');
  const bytes = zipOf({
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'manifest-sha256.txt': `${sum}  data/letter.txt\n`,
    'data/letter.txt': 'Dear Ada',
  });
  await openImport(page);
  await choose(page, { name: 'letters.zip', bytes });
  await importing(page).getByText('Items: 2 new, 0 changed, 0 unchanged, 0 failed').waitFor();
  await importing(page).getByRole('combobox').click();
  await page.keyboard.type('Harb');
  await page.getByRole('option', { name: /Harbour/ }).click();
  await accessible(page, 'the collection of a bag');
  await act(page).click();
  await page.getByText('Imported “letters.zip”').waitFor();
  await page.getByRole('treeitem', { name: /Harbour/ }).click();
  await cell(page, 'letters').waitFor();
});

test('what is sent can be stopped, and checked again', async (t) => {
  const page = await withHarbour(t);
  const bag = await savedBag(page, 'Quay');
  await page.route(/import\/bag/, () => {});
  await openImport(page);
  await choose(page, bag);
  await importing(page).getByRole('button', { name: 'Stop' }).click();
  await page.unroute(/import\/bag/);
  await importing(page).getByRole('button', { name: 'Check again' }).click();
  await importing(page).getByText('Items: 0 new, 0 changed, 1 unchanged, 0 failed').waitFor();
});
