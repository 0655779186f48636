import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible } from '../support/axe.mjs';
import { makeCollection, openBrowser, pictureIn, signIn } from '../support/browser.mjs';
import { dropFiles } from '../support/drop.mjs';
import { emptyPdf } from '../support/empty_pdf.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const MADE = { derivatives: true };
const sample = (name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
/** Of three pages, and of two. */
const [TIFF, PDF] = [sample('pictures/pages.tif'), sample('documents/two-pages.pdf')];

/** The items of a list as REST has them. */
const items = async (rest, query) =>
  (await (await rest.send('GET', `/api/v1/items?sort=weight&${query}`)).json()).items;

test('a TIFF and a PDF that are dropped become books of their pages, and one undo removes all', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await makeCollection(page, 'Shelf');
  const sheet = page.getByTestId('drop-sheet');

  await dropFiles(page, page.getByRole('treeitem', { name: 'Shelf' }), [TIFF, PDF]);
  await sheet.getByTestId('multipage').getByText('2 files with several pages').waitFor();
  const tiff = sheet.getByLabel('What pages.tif becomes');
  assert.equal(await tiff.inputValue(), 'item', 'one item at first');
  await sheet.getByLabel('What files with several pages become').selectOption('A book of its pages each');
  assert.equal(await tiff.locator('option:checked').innerText(), 'Book of its 3 pages');
  await sheet.getByText('2 books').waitFor();
  await accessible(page, 'files of several pages');
  await page.getByRole('button', { name: 'Add 2 items' }).click();

  const book = async (title) => (await items(rest, `q=${title}`)).find((item) => item.title === title);
  const titles = async (name) => {
    const { nid } = (await book(name)) ?? {};
    return nid ? (await items(rest, `collection=${nid}`)).map(({ title }) => title) : [];
  };
  const pagesOf = (name, count) => Array.from({ length: count }, (_, at) => `${name}, page ${at + 1}`);
  const madeOf = (name, count) =>
    until(`the pages of ${name}`, async () => String(await titles(name)) === String(pagesOf(name, count)));
  await madeOf('pages', 3);
  await madeOf('two-pages', 2);
  for (const [name, count] of [
    ['pages', 3],
    ['two-pages', 2],
  ]) {
    await page.goto(`${baseUrl}/?collection=${(await book(name)).nid}`);
    for (const title of pagesOf(name, count)) await pictureIn(page, title);
  }
  const [first] = await items(rest, `collection=${(await book('pages')).nid}`);
  const { media } = await (await rest.send('GET', `/api/v1/items/${first.nid}/media`)).json();
  assert.equal(media[0].name, 'pages-page-1.tif', 'a file of its own');

  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone/).waitFor();
  const { total } = await (await rest.send('GET', '/api/v1/items?limit=1')).json();
  assert.equal(total, 1, 'the collection');
});

/** An item with a PDF of so many empty pages as its original. */
async function withLog(t, pages) {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Digital Document'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem('Log', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  await rest.upload(nid, 'document', use, 'public://log.pdf', 'application/pdf', emptyPdf(pages));
  await until('its pages are counted', async () => (await readItem(rest, nid)).pages === pages);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  return { rest, page, nid };
}

const readItem = async (rest, nid) => (await rest.send('GET', `/api/v1/items/${nid}`)).json();

test('the pages of an item’s file are made from its menu, stopped, gone on with and taken back', async (t) => {
  const { rest, page, nid } = await withLog(t, 20);
  const members = async () => (await items(rest, `collection=${nid}&limit=200`)).length;
  const card = page.getByRole('gridcell', { name: 'Log', exact: true });
  await card.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Make pages from the file' }).click();
  const progress = page.getByTestId('pages-progress');
  await progress.getByText(/^Making pages: [1-9]/).waitFor();
  await accessible(page, 'pages that are being made');
  await progress.getByRole('button', { name: 'Stop' }).click();
  const missing = page.getByTestId('pages-missing');
  await missing.getByText(/of 20 pages are made/).waitFor();
  const some = await members();
  assert.ok(some > 0 && some < 20, `${some} are made`);
  await missing.getByRole('button', { name: /^Make the other/ }).click();
  await page.getByText('Made 20 pages of “Log”').waitFor();
  await missing.waitFor({ state: 'detached' });
  assert.equal(await members(), 20);
  assert.equal((await readItem(rest, nid)).model.role, 'paged');

  // Made in two goes, they are taken back in two.
  for (const left of [some, 0]) {
    await page.keyboard.press('Control+z');
    await until('they are in the trash', async () => (await members()) === left);
  }
  assert.equal((await readItem(rest, nid)).model.role, 'document');
  await page.keyboard.press('Control+Shift+z');
  await until('some are back', async () => (await members()) === some);
});
