import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { dropFiles } from '../support/drop.mjs';
import { makeFolder, removeFolder } from '../support/program.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const dialog = (page) => page.getByTestId('import-table');
const cell = (page, title) => page.getByRole('gridcell', { name: title }).first();
const row = (page, title) => page.getByRole('row', { name: title });

async function openList(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  const nid = (await rest.createItem('Quay', { field_model: model })).nid[0].value;
  await rest.createItem('Bay', { field_model: model });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/?view=all`);
  await cell(page, 'Quay').waitFor();
  return { page, nid, rest };
}

async function choose(page, table, button = 'Choose a table…', name = 'maps.csv') {
  const asked = page.waitForEvent('filechooser');
  await dialog(page).getByRole('button', { name: button }).click();
  await (await asked).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(table) });
}

async function openDialog(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill('Import a table');
  await page.getByRole('option', { name: 'Import a table…' }).click();
  await dialog(page).waitFor();
}

test('a table is checked, mended, imported, and taken back as one change', async (t) => {
  const { page, nid } = await openList(t);
  await openDialog(page);
  await accessible(page, 'import of a table');
  await choose(page, `node_id,title,field_model,field_subject\n${nid},Quay,Image,Harbours\n,,Image,\n`);
  await dialog(page).getByText('2 problems.').waitFor();
  await dialog(page).getByText('There is no term "Harbours" in subject.').waitFor();
  assert.equal(await dialog(page).getByRole('button', { name: 'Import', exact: true }).isDisabled(), true);
  await accessible(page, 'problems of a table');
  const saved = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save all problems as a table…' }).click();
  assert.equal((await saved).suggestedFilename(), 'Problems of maps.csv');
  const report = await readFile(await (await saved).path(), 'utf8');
  assert.match(report, /^\ufeffRow,Column,Value,Problem,Suggestion\r\n2,field_subject,Harbours,/);
  await dialog(page).getByLabel('Create terms that do not exist yet').check();
  await dialog(page).getByText('1 problem.').waitFor();
  await choose(
    page,
    `node_id,title,field_model,field_subject\n${nid},"Quay, east",Image,Harbours\n,Lagoon,Image,\n`,
    'Choose another one…',
  );
  await dialog(page).getByText('1 new item, 1 item changes, 0 items stay as it is.').waitFor();
  await dialog(page).getByRole('cell', { name: 'Quay, east' }).waitFor();
  await accessible(page, 'changes of a table');
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported “maps.csv”').waitFor();
  await cell(page, 'Quay, east').waitFor();
  await cell(page, 'Lagoon').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'Lagoon').waitFor({ state: 'detached' });
  await cell(page, 'Quay').waitFor();
});

test('headings of another program are mapped, and the choices are remembered', async (t) => {
  const { page } = await openList(t);
  const table = 'Dublin Core:Title,dcterms:extent,Box,Model\nLagoon,2 maps; 1 sheet,17,Image\n';
  await openDialog(page);
  await choose(page, table);
  const column = (heading) => dialog(page).getByRole('combobox', { name: heading });
  await dialog(page).getByText('3 headings are no column here.').waitFor();
  assert.equal(await column('Dublin Core:Title').inputValue(), 'title');
  assert.equal(await column('dcterms:extent').inputValue(), 'field_extent');
  await column('Box').selectOption('leave out');
  await dialog(page).getByLabel('Name of these columns').fill('Sheets of the office');
  await dialog(page).getByRole('button', { name: 'Keep for next time' }).click();
  const kept = dialog(page).getByLabel('Columns as in');
  assert.equal(await kept.inputValue(), 'Sheets of the office');
  await column('Box').selectOption('Extent');
  assert.equal(await kept.inputValue(), '');
  await kept.selectOption('Sheets of the office');
  assert.equal(await column('Box').inputValue(), '');
  await accessible(page, 'headings of a table');
  await dialog(page).getByRole('button', { name: 'Check with these columns' }).click();
  await dialog(page).getByText('1 new item, 0 items change').waitFor();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await cell(page, 'Lagoon').waitFor();
  await openDialog(page);
  await choose(page, table);
  await dialog(page).getByText('3 headings are no column here.').waitFor();
  assert.equal(await column('Box').inputValue(), '');
  await dialog(page).getByRole('button', { name: 'Forget Sheets of the office' }).click();
  await kept.waitFor({ state: 'detached' });
});

test('a table that is dropped with its files becomes items with files', async (t) => {
  const { page, rest } = await openList(t);
  const folder = await makeFolder();
  t.after(() => removeFolder(folder));
  const [table, scans] = [join(folder, 'maps.csv'), join(folder, 'scans')];
  await writeFile(table, 'title,field_model,file\nLagoon,Image,scans/lagoon.jpg\n');
  await mkdir(scans);
  const picture = fileURLToPath(new URL('../samples/pictures/large.jpg', import.meta.url));
  await copyFile(picture, join(scans, 'lagoon.jpg'));
  await dropFiles(page, page.getByRole('main'), [table, scans]);
  const offer = page.getByTestId('dropped-table');
  await offer.getByText('with the 1 other file that they name').waitFor();
  await accessible(page, 'a table that is dropped');
  await offer.getByRole('button', { name: 'Import as a table' }).click();
  await dialog(page).getByText('1 new item, 0 items change').waitFor();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await cell(page, 'Lagoon').waitFor();
  const { items } = await (await rest.send('GET', '/api/v1/items?q=lagoon')).json();
  const { media } = await (await rest.send('GET', `/api/v1/items/${items[0].nid}/media`)).json();
  assert.equal(media[0].file.filename, 'lagoon.jpg');
});

test('two columns of one name are a problem that is said', async (t) => {
  const { page } = await openList(t);
  await openDialog(page);
  await choose(page, 'title,title,Box\nLagoon,Bay,1\n');
  await dialog(page).getByText('There are two of this column.').waitFor();
  assert.equal(await dialog(page).getByRole('combobox').count(), 1);
});

test('items leave with their files, and the archive is a table that comes back', async (t) => {
  const { page, rest } = await openList(t);
  await page.keyboard.press('Control+Shift+E');
  await page.getByLabel('Original files').check();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  assert.match((await saved).suggestedFilename(), /\.zip$/);
  const exported = await rest.send('GET', '/api/v1/export?files=true');
  await openDialog(page);
  const archive = Buffer.from(await exported.arrayBuffer());
  await choose(page, archive, 'Choose a table…', 'items.zip');
  await dialog(page).getByText('0 new items, 0 items change, 2 items stay as it is.').waitFor();
});

test('cells of another program are pasted after they were seen', async (t) => {
  const { page } = await openList(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => {
    localStorage.setItem('isolario.view', '"table"');
    localStorage.setItem('isolario.sortings', '{"other":{"sort":"title","order":"asc"}}');
    localStorage.setItem(
      'isolario.columns',
      JSON.stringify([
        { id: 'title', width: null },
        { id: 'field_extent', width: 12 },
      ]),
    );
  });
  await page.reload();
  await row(page, 'Bay').click();
  await page.evaluate(() => navigator.clipboard.writeText('1 sheet\n"2 ""thin"" sheets"\n'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+v');
  await dialog(page).getByText('Paste 2 rows').waitFor();
  await dialog(page).getByRole('cell', { name: '1 sheet' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await row(page, 'Bay').getByText('1 sheet').waitFor();
  await row(page, 'Quay').getByText('sheets').waitFor();
  // What does not fit is not pasted.
  await page.evaluate(() => navigator.clipboard.writeText('a\tb\tc'));
  await row(page, 'Bay').click();
  await row(page, 'Bay').getByText('1 sheet').click();
  await page.keyboard.press('Control+v');
  await page.getByText('There are fewer columns here than were copied.').waitFor();
});
