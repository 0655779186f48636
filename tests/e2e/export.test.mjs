import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const cell = (page, title) => page.getByRole('gridcell', { name: title }).first();
const dialog = (page) => page.getByTestId('export');

/** A collection with two maps, and a letter elsewhere; and a page of the administrator with all items. */
async function withMaps(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const subject = (await rest.createTerm('subject', 'Harbours')).tid[0].value;
  const create = async (title, fields) => (await rest.createItem(title, fields)).nid[0].value;
  const model = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const maps = await create('Maps', { field_model: await model('Collection') });
  const map = async (title) =>
    create(title, {
      field_model: await model('Image'),
      field_member_of: [{ target_id: maps }],
      field_subject: [{ target_id: subject }],
    });
  await map('Quay');
  await map('Lagoon');
  await create('Letter', { field_model: await model('Digital Document') });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/?view=all`);
  await cell(page, 'Letter').waitFor();
  return page;
}

/** Presses the button of the dialog and answers the lines of the table. */
async function exported(page, button = 'Export') {
  const coming = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: button, exact: true }).click();
  const download = await coming;
  const bytes = await readFile(await download.path());
  await dialog(page).waitFor({ state: 'detached' });
  return { name: download.suggestedFilename(), bytes, lines: bytes.toString().trim().split('\r\n') };
}

const chooseColumns = async (page, choice) => {
  await page.getByTestId('export-columns').click();
  await page.getByRole('option', { name: choice, exact: true }).click();
};

test('a selection is a table, with columns that are kept under a name', async (t) => {
  const page = await withMaps(t);
  await cell(page, 'Quay').click();
  await cell(page, 'Letter').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+Shift+E');
  await dialog(page).getByLabel('2 selected items').waitFor();
  await accessible(page, 'export');
  await chooseColumns(page, 'Choose columns…');
  await page.getByTestId('export-add-column').click();
  await page.keyboard.type('Subject');
  await page.getByRole('option', { name: /field_subject$/ }).click();
  await dialog(page).locator('[data-column="field_subject"]').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await accessible(page, 'columns of an export');
  await dialog(page).getByLabel('Name for these columns').fill('Short');
  await page.keyboard.press('Enter');
  await page.getByTestId('export-columns').getByText('Short').waitFor();
  const table = await exported(page);
  assert.equal(table.name, 'items.csv');
  assert.equal(table.bytes.subarray(0, 3).toString('hex'), 'efbbbf', 'Excel is told that it is UTF-8');
  assert.equal(table.lines[0], 'node_id,field_subject,title');
  assert.deepEqual(table.lines.slice(1), ['2,subject:Harbours,Quay', '4,,Letter']);
  // What was chosen is chosen again, after a reload also.
  await page.reload();
  await cell(page, 'Quay').click();
  await page.keyboard.press('Control+Shift+E');
  await page.getByTestId('export-columns').getByText('Short').waitFor();
  await dialog(page).getByLabel('The whole list: 4 items').check();
  await dialog(page).getByLabel('Numbers').check();
  const all = await exported(page);
  assert.equal(all.lines.length, 5);
  assert.match(all.lines[2], /^2,\d+,Quay$/);
  await page.keyboard.press('Control+Shift+E');
  await dialog(page).getByRole('button', { name: 'Forget “Short”' }).click();
  await page.getByTestId('export-columns').getByText('3 columns').waitFor();
});

test('a collection with all below it, and a saved search, are workbooks', async (t) => {
  const page = await withMaps(t);
  await page.getByRole('treeitem', { name: /Maps/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export as a table…' }).click();
  await dialog(page).getByText('“Maps” with everything below it').waitFor();
  await dialog(page).getByLabel('Excel (XLSX)').check();
  const workbook = await exported(page);
  assert.equal(workbook.name, 'items.xlsx');
  assert.equal(workbook.bytes.subarray(0, 2).toString(), 'PK');
  await page.getByRole('combobox', { name: 'Search here' }).fill('lagoon');
  await page.getByTestId('item-count').getByText('1 item', { exact: true }).waitFor();
  await page.keyboard.press('Control+Shift+S');
  await page.getByTestId('save-search').getByLabel('Name').fill('Lagoons');
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: /Lagoons/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export as a table…' }).click();
  await dialog(page).getByLabel('CSV').check();
  const found = await exported(page);
  assert.equal(found.lines.length, 2);
  assert.match(found.lines[1], /^3,Lagoon,/);
});

test('a ZIP with files is fetched by the browser itself', async (t) => {
  const page = await withMaps(t);
  await page.keyboard.press('Control+Shift+E');
  await dialog(page).getByLabel('Original files').check();
  const zip = await exported(page);
  assert.equal(zip.name, 'items.zip');
  assert.equal(zip.bytes.subarray(0, 2).toString(), 'PK');
  const refused = /\/api\/v1\/export\?/;
  await page.route(refused, (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', message: 'There is no such collection.' } }),
  );
  await page.keyboard.press('Control+Shift+E');
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).click();
  await dialog(page).getByRole('alert').waitFor();
});

test('a refusal is said in the dialog, and an export can be ended', async (t) => {
  const page = await withMaps(t);
  await page.keyboard.press('Control+Shift+E');
  await dialog(page).getByText('The whole list: 4 items').waitFor();
  const address = /\/api\/v1\/export\?/;
  await page.route(address, (route) =>
    route.fulfill({ status: 422, json: { code: 'invalid', message: 'A cell of XLSX holds 32767 letters.' } }),
  );
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).click();
  await dialog(page).getByRole('alert').waitFor();
  await page.unroute(address);
  let asked;
  const request = new Promise((resolve) => (asked = resolve));
  await page.route(address, () => asked());
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).click();
  await request;
  await dialog(page).getByText('Exporting…').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).getByText('Exporting…').waitFor({ state: 'detached' });
  await page.unroute(address);
  const table = await exported(page);
  assert.equal(table.lines.length, 5);
});

test('a selection is printed as a contact sheet, and a collection as labels', async (t) => {
  const page = await withMaps(t);
  const saved = async (act) => {
    const coming = page.waitForEvent('download');
    await act();
    const download = await coming;
    const bytes = await readFile(await download.path());
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
    return download.suggestedFilename();
  };
  const entry = (name) => page.getByRole('menuitem', { name });
  await cell(page, 'Quay').click({ button: 'right' });
  assert.equal(await saved(() => entry('Save contact sheet (PDF)…').click()), 'contact-sheet.pdf');
  await page.getByRole('treeitem', { name: /^Maps/ }).click({ button: 'right' });
  assert.equal(await saved(() => entry('Save labels (PDF)…').click()), 'labels.pdf');
});
