import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const COLUMNS = ['title', 'field_extent', 'field_subject', 'changed'].map((id) => ({
  id,
  width: id === 'title' ? null : 12,
}));
const editor = (page) => page.getByTestId('cell-editor');
const row = (page, title) => page.getByRole('row', { name: title });
const active = (page, column) => page.locator(`.active[data-column="${column}"]`);

/** Three maps in a table with columns for their extent and subject; and a page of the administrator. */
async function withTable(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  await rest.createTerm('subject', 'Harbours');
  const model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  const nids = [];
  for (const title of ['Atoll', 'Bay', 'Cape'])
    nids.push((await rest.createItem(title, { field_model: model })).nid[0].value);
  const page = await openBrowser(t);
  await page.addInitScript((columns) => {
    localStorage.setItem('isolario.columns', JSON.stringify(columns));
    localStorage.setItem('isolario.view', '"table"');
    localStorage.setItem('isolario.sortings', '{"other":{"sort":"title","order":"asc"}}');
  }, COLUMNS);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/?view=all`);
  await row(page, 'Atoll').click();
  const values = async (at, field) => {
    const item = await (await rest.send('GET', `/node/${nids[at]}?_format=json`)).json();
    return item[field].map(({ value, target_id }) => value ?? target_id);
  };
  return { page, values };
}

test('cells are chosen by arrows, edited by typing, and left by Enter, Tab and Escape', async (t) => {
  const { page, values } = await withTable(t);
  await page.keyboard.press('ArrowRight');
  await active(page, 'title').waitFor();
  await page.keyboard.press('ArrowRight');
  await active(page, 'field_extent').waitFor();
  await accessible(page, 'a cell of the table');
  await page.keyboard.type('1 sheet');
  await editor(page).waitFor();
  await accessible(page, 'the editor of a cell');
  await page.keyboard.press('Enter');
  await editor(page).waitFor({ state: 'detached' });
  assert.deepEqual(await values(0, 'field_extent'), ['1 sheet']);
  // The row below is next, in the same column.
  await page.keyboard.type('2 sheets');
  await page.keyboard.press('Tab');
  await editor(page).locator('[data-field="field_subject"]').waitFor();
  assert.deepEqual(await values(1, 'field_extent'), ['2 sheets']);
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await row(page, 'Bay').getByText('2 sheets').click();
  await page.keyboard.press('F2');
  await page.keyboard.type('3 sheets');
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  assert.deepEqual(await values(1, 'field_extent'), ['2 sheets'], 'Escape keeps what was there');
});

test('Escape before the editor is there takes it back', async (t) => {
  const { page, values } = await withTable(t);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await active(page, 'field_extent').waitFor();
  const item = /\/node\/\d+\?_format=json/;
  // The answer waits until it is no longer routed.
  let ask;
  const asked = new Promise((resolve) => (ask = resolve));
  await page.route(item, ask);
  await page.keyboard.type('1 sheet');
  await asked;
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  const answered = page.waitForResponse(item);
  await page.unroute(item);
  await answered;
  await page.keyboard.type('2 sheets');
  await page.keyboard.press('Enter');
  await row(page, 'Atoll').getByText('2 sheets').waitFor();
  assert.deepEqual(await values(0, 'field_extent'), ['2 sheets']);
});

test('a term is found as its name is typed in the cell, and a cell is emptied', async (t) => {
  const { page, values } = await withTable(t);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await active(page, 'field_subject').waitFor();
  await page.keyboard.type('harb');
  await page.getByRole('option', { name: /^Harbours/ }).waitFor();
  await page.keyboard.press('Enter');
  await row(page, 'Atoll').getByText('Harbours').waitFor();
  await page.keyboard.press('Enter');
  await editor(page).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Delete');
  await row(page, 'Atoll').getByText('Harbours').waitFor({ state: 'detached' });
  assert.deepEqual(await values(0, 'field_subject'), []);
  await page.keyboard.press('Control+z');
  await row(page, 'Atoll').getByText('Harbours').waitFor();
  // A column that the program writes has no editor.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('This column is not edited in the table.').waitFor();
});

test('a value fills the selected cells below it as one change, and cells are copied', async (t) => {
  const { page, values } = await withTable(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1 sheet');
  await page.keyboard.press('Enter');
  await row(page, 'Atoll').getByText('1 sheet').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await row(page, 'Cape').getByText('1 sheet').waitFor();
  assert.deepEqual(await values(1, 'field_extent'), ['1 sheet']);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Control+c');
  await page.getByText('Copied 3 rows').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, 'Atoll\t1 sheet\nBay\t1 sheet\nCape\t1 sheet');
  await page.keyboard.press('Control+z');
  await until('the change is taken back', async () => (await values(2, 'field_extent')).length === 0);
  assert.deepEqual(await values(1, 'field_extent'), []);
  assert.deepEqual(await values(0, 'field_extent'), ['1 sheet']);
});
