import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { carryFiles, centreOf, dropFiles } from '../support/drop.mjs';
import { makeFolder, removeFolder } from '../support/program.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A repository with items by title, model and parent, a folder of files, and a page that shows one of the items. */
async function withShelf(t, items, names) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const nids = {};
  for (const [title, model, parent, weight] of items) {
    const made = await rest.createItem(title, {
      field_model: [{ target_id: await rest.term('islandora_models', model) }],
      field_member_of: parent ? [{ target_id: nids[parent] }] : [],
      field_weight: weight ? [{ value: weight }] : [],
    });
    nids[title] = made.nid[0].value;
  }
  const home = await makeFolder();
  t.after(() => removeFolder(home));
  const folder = join(home, 'Log book');
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, name), `This is ${name}.\n`);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const list = async (query) => (await (await rest.send('GET', `/api/v1/items?${query}`)).json()).items;
  return { page, rest, nids, folder, list, paths: names.map((name) => join(folder, name)) };
}

const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);
const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });
/** Opens a collection, and waits until its list stands still: a drag over what is replaced does not go on. */
async function open(page, name) {
  await page.getByRole('treeitem', { name, exact: true }).click();
  const list = page.locator(`main[data-name="${name}"]`);
  await list.getByRole('gridcell').or(list.getByText('This collection is empty')).first().waitFor();
}
const arrived = (page, count) =>
  page.getByTestId('transfers-cell').getByText(`Transfers: ${count} of ${count}`).waitFor();

test('a drop says where it goes, and goes to an item only when it is held there or aimed at it', async (t) => {
  const shelf = [
    ['Port Authority', 'Collection'],
    ['Sheet 1', 'Image', 'Port Authority'],
    ['Sheet 2', 'Image', 'Port Authority'],
  ];
  const { page, paths } = await withShelf(t, shelf, ['a.txt', 'b.txt']);
  await open(page, 'Port Authority');
  const [on, label] = [await centreOf(cell(page, 'Sheet 1')), page.getByTestId('drop-label')];
  const carried = await carryFiles(page, paths);
  await carried.over(on);
  await label.getByText('Hold still, or press Alt, to add to “Sheet 1” instead').waitFor();
  await label.getByText('Add 2 files to “Port Authority”').waitFor();
  await label.getByText('Add 2 files to “Sheet 1”').waitFor();
  await accessible(page, 'files over an item');
  await carried.over(await centreOf(cell(page, 'Sheet 2')), { alt: true });
  await label.getByText('Add 2 files to “Sheet 2”').waitFor();
  const { x, width } = await cell(page, 'Sheet 1').boundingBox();
  await carried.over({ x: x + width + 2, y: on.y });
  await label.getByText('Add 2 files to “Port Authority”').waitFor();
  await carried.over(on);
  await carried.drop();
  await page.getByRole('dialog', { name: 'Add 2 items to Port Authority' }).waitFor();
  await label.waitFor({ state: 'detached' });
});

test('pages stand in the order of their names, after those that are there', async (t) => {
  const shelf = [
    ['Atlas', 'Paged Content'],
    ['Cover', 'Page', 'Atlas', 7],
  ];
  const files = numbers(12).map((number) => `Page ${number}.txt`);
  const { page, nids, list, paths } = await withShelf(t, shelf, files);
  await cell(page, 'Atlas').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show 1 page' }).click();
  await page.getByRole('button', { name: 'Sort: custom order' }).waitFor();
  await dropFiles(page, page.getByRole('main'), paths.toReversed());
  await page.getByTestId('drop-sheet').getByText('12 pages').waitFor();
  await page.getByRole('button', { name: 'Add 12 items' }).click();
  await arrived(page, 12);
  const pages = await list(`collection=${nids.Atlas}&sort=weight`);
  const wanted = ['Cover', ...numbers(12).map((number) => `Page ${number}`)];
  assert.deepEqual(
    pages.map(({ title, weight, model }) => [title, weight, model.name]),
    wanted.map((title, index) => [title, 7 + index, 'Page']),
  );
  await until('the list shows that order', async () => {
    const shown = await page.getByRole('gridcell').evaluateAll((cards) => cards.map((one) => one.ariaLabel));
    return String(shown) === String(wanted);
  });
});

test('a folder of images is proposed as a book, titled by a rule, without copies, for staff only', async (t) => {
  const files = numbers(11).map((number) => `scan_${number}.jpg`);
  const { page, folder, list } = await withShelf(t, [['Shelf', 'Collection']], files);
  await writeFile(join(folder, 'scan_5 copy.jpg'), 'This is scan_5.jpg.\n');
  await open(page, 'Shelf');
  await dropFiles(page, page.getByRole('main'), [folder]);
  const sheet = page.getByTestId('drop-sheet');
  await sheet.getByText('1 new book').waitFor();
  await sheet.getByTestId('space').getByText('free on this disk').waitFor();
  assert.equal(await sheet.getByTestId('visible-to').inputValue(), 'false');
  await sheet.getByTestId('copies').getByLabel('Add each file only once').check();
  await sheet.getByLabel('Title from').selectOption('Folder name and number');
  assert.equal(await sheet.getByLabel('Title for scan_10.jpg').inputValue(), 'Log book 10');
  await accessible(page, 'a folder that becomes a book');
  await page.getByRole('button', { name: 'Add 11 items' }).click();
  await arrived(page, 11);
  const [book] = await list('q=book&model=' + (await list('q=Log'))[0].model.tid);
  assert.deepEqual([book.title, book.model.name, book.status], ['Log book', 'Paged Content', false]);
  const pages = await list(`collection=${book.nid}&sort=weight`);
  assert.deepEqual(
    pages.map(({ title, weight, model }) => [title, weight, model.name]),
    numbers(11).map((number) => [`Log book ${number}`, number, 'Page']),
  );
});

test('a folder is chosen; what does not fit on the disk is told before it is sent', async (t) => {
  const { page, folder, list } = await withShelf(t, [['Shelf', 'Collection']], ['a.txt', 'b.tif']);
  await page.route('**/api/v1/disk-space', (route) => route.fulfill({ json: { free: 99, for_uploads: 10 } }));
  await open(page, 'Shelf');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose a folder…' }).click();
  await (await chooser).setFiles(folder);
  const sheet = page.getByTestId('drop-sheet');
  await sheet.getByText('1 new collection').waitFor();
  // What a TIFF becomes is an image, whatever media type keeps it.
  await sheet.getByText('1 image', { exact: false }).waitFor();
  await sheet.getByTestId('does-not-fit').getByText('These files do not fit').waitFor();
  await page.getByRole('button', { name: 'Add 2 items' }).click();
  await arrived(page, 2);
  const [made] = await list('q=Log');
  assert.deepEqual(
    (await list(`collection=${made.nid}`)).map(({ title }) => title),
    ['a', 'b'],
  );
});

test('the panel of transfers leaves when all is done, and covers no selected item', async (t) => {
  const sheets = numbers(30).map((number) => [`Sheet ${100 + number}`, 'Image', 'Shelf']);
  const { page, paths } = await withShelf(
    t,
    [['Shelf', 'Collection'], ...sheets],
    ['a.txt', 'b.txt', 'c.txt'],
  );
  await open(page, 'Shelf');
  await dropFiles(page, page.getByRole('treeitem', { name: 'Unfiled' }), paths);
  await page.getByRole('button', { name: 'Add 3 items' }).click();
  const tray = page.getByTestId('tray');
  await tray.waitFor();
  await arrived(page, 3);
  await tray.waitFor({ state: 'detached' });
  await cell(page, 'Sheet 101').click();
  await page.keyboard.press('End');
  const last = page.getByRole('gridcell', { selected: true });
  await page.keyboard.press('Control+j');
  await tray.waitFor();
  await until('the selected item is above the panel', async () => {
    const [card, panel] = [await last.boundingBox(), await tray.boundingBox()];
    return card.y + card.height <= panel.y || card.x + card.width <= panel.x;
  });
  assert.equal(await last.getAttribute('aria-label'), 'Sheet 130');
});
