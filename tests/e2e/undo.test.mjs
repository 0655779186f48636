import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { makeCollection, openBrowser, retitle, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const SAMPLE = new URL('../samples/20x10.png', import.meta.url);
const back = (page) => page.keyboard.press('Control+z');
const again = (page) => page.keyboard.press('Control+Shift+Z');

/** A repository with one item, and a page that shows it. */
async function withItem(t, title) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const made = await rest.createItem(title, { field_model: [{ target_id: model }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: title }).waitFor();
  return { page, rest, nid: made.nid[0].value };
}

/** Somebody else changes an item meanwhile. */
async function changeElsewhere(rest, nid, fields) {
  const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], ...fields });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body });
  assert.equal(answer.status, 200, await answer.text());
}

const read = async (rest, nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json();

test('what was changed, made and deleted is undone and redone, after a restart as well', async (t) => {
  const { page } = await withItem(t, 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova');
  await back(page);
  await page.getByText('Undone: Title of “Isola nova”').waitFor();
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();
  const title = page
    .getByRole('complementary', { name: 'Inspector' })
    .getByRole('textbox', { name: 'Title' });
  await page.waitForFunction((field) => field.value === 'Isola nova', await title.elementHandle());
  await again(page);
  await page.getByRole('gridcell', { name: 'Isola nuova' }).waitFor();

  await page.reload();
  await page.getByRole('gridcell', { name: 'Isola nuova' }).waitFor();
  await back(page);
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();
  await back(page);
  await page.getByText('Nothing to undo').waitFor();

  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete item', exact: true }).click();
  await page.getByText('Deleted “Isola nova”').waitFor();
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();
  await again(page);
  await page.getByText('Redone: deleted “Isola nova”').waitFor();
  await page.getByRole('treeitem', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Isola nova' }).click();
  await page.getByText('Restored “Isola nova”').waitFor();
  await back(page);
  await page.getByText('Undone: restored “Isola nova”').waitFor();
  await page.getByRole('button', { name: 'Restore Isola nova' }).waitFor();
  await again(page);
  await page.getByText('Redone: restored “Isola nova”').waitFor();
  await page.getByRole('treeitem', { name: /^All items/ }).click();
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();

  await makeCollection(page, 'Maps');
  await page.keyboard.press('Escape');
  await back(page);
  await page.getByRole('treeitem', { name: 'Maps' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('redo');
  await page.getByRole('option', { name: /Redo: new “Maps”/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: 'Maps' }).waitFor();
});

test('undo asks when somebody else has changed the same since, and leaves alone what it is not about', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova');
  await changeElsewhere(rest, nid, { field_rights: [{ value: 'Out of copyright' }] });
  await back(page);
  await page.getByText('Undone: Title of “Isola nova”').waitFor();
  const undone = await read(rest, nid);
  assert.deepEqual([undone.title[0].value, undone.field_rights[0].value], ['Isola nova', 'Out of copyright']);

  await again(page);
  await page.getByText('Redone: Title of “Isola nova”').waitFor();
  await changeElsewhere(rest, nid, { title: [{ value: 'Isola novissima' }] });
  await back(page);
  const question = page.getByTestId('undo-question');
  await question.getByRole('row', { name: /Title.*Isola novissima.*Isola nova/ }).waitFor();
  await accessible(page, 'the question of undo');
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await read(rest, nid)).title[0].value, 'Isola novissima');
  await back(page);
  await question.getByRole('button', { name: 'Undo anyway' }).click();
  await page.getByText('Undone: Title of “Isola nova”').waitFor();
  assert.equal((await read(rest, nid)).title[0].value, 'Isola nova');
});

test('in words that are being written, undo is the field’s own', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova');
  const search = page.getByTestId('search');
  await search.click();
  await page.keyboard.type('Isola');
  await back(page);
  assert.equal((await read(rest, nid)).title[0].value, 'Isola nuova');
  await page.keyboard.press('Tab');
  await back(page);
  await page.getByText('Undone: Title of “Isola nova”').waitFor();
});

test('items go with their files, and one undo brings all of it back', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola nova');
  const use = await rest.term('islandora_media_use', 'Original File');
  const model = await rest.term('islandora_models', 'Image');
  const second = await rest.createItem('Isola terza', { field_model: [{ target_id: model }] });
  const other = second.nid[0].value;
  const media = [];
  for (const of of [nid, other]) {
    const uri = `public://undo/${of}.png`;
    media.push(await rest.upload(of, 'image', use, uri, 'image/png', await readFile(SAMPLE)));
  }
  const answers = async () => {
    const paths = [...media, `/node/${nid}`, `/node/${other}`];
    const ask = async (path) => (await rest.send('GET', `${path}?_format=json`)).status;
    return Promise.all([
      ...paths.map(ask),
      rest.send('GET', `/sites/default/files/undo/${nid}.png`).then(({ status }) => status),
    ]);
  };
  const here = [200, 200, 200, 200, 200];
  const gone = [404, 404, 404, 404, 404];
  await page.getByRole('gridcell', { name: 'Isola terza' }).waitFor();
  assert.deepEqual(await answers(), here);

  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  await page.getByRole('gridcell', { name: 'Isola terza' }).click({ modifiers: ['Control'] });
  await page.keyboard.press('Delete');
  const question = page.getByTestId('erase');
  await question.getByRole('checkbox', { name: 'Delete their 2 files as well', checked: true }).waitFor();
  await accessible(page, 'the question before items are deleted');
  await question.getByRole('button', { name: 'Delete 2 items and 2 files' }).click();
  await page.getByText('Deleted 2 items').waitFor();
  assert.deepEqual(await answers(), gone);

  await back(page);
  await page.getByText(/^Undone: /).waitFor();
  assert.deepEqual(await answers(), here);
  await again(page);
  await page.getByText(/^Redone: /).waitFor();
  assert.deepEqual(await answers(), gone);
  await back(page);
  await page.getByRole('gridcell', { name: 'Isola terza' }).waitFor();
  assert.deepEqual(await answers(), here);

  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  await page.keyboard.press('Delete');
  await question.getByRole('checkbox', { name: 'Delete its file as well' }).uncheck();
  await question.getByRole('button', { name: 'Delete item', exact: true }).click();
  await page.getByText('Deleted “Isola nova”').waitFor();
  assert.deepEqual(await answers(), [200, 200, 404, 200, 200]);
});

test('files that were added to an item go with one undo and come back with a redo, after a restart too', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola nova');
  const media = async () => {
    const answer = await rest.send('GET', `/api/v1/items/${nid}/media`);
    return (await answer.json()).media.map(({ file }) => file?.filename).sort();
  };
  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  await page.getByRole('tab', { name: /Files/ }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add file…' }).click();
  const buffer = Buffer.from('words');
  const files = ['front.txt', 'back.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer }));
  await (await chooser).setFiles(files);
  await page.getByRole('button', { name: 'Add 2 files' }).click();
  await page.getByText('Uploaded 2 files').waitFor();
  assert.deepEqual(await media(), ['back.txt', 'front.txt']);
  await back(page);
  await page.getByText('Undone: 2 files').waitFor();
  assert.deepEqual(await media(), []);
  await page.reload();
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();
  await again(page);
  await page.getByText('Redone: 2 files').waitFor();
  assert.deepEqual(await media(), ['back.txt', 'front.txt']);
  await back(page);
  await page.getByText('Undone: 2 files').waitFor();
});

test('undo that is pressed faster than it is answered takes back as many changes, in their order', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola');
  for (const number of [1, 2, 3, 4, 5, 6]) await retitle(page, 'Isola', `Isola ${number}`);
  const titles = [];
  await page.route('**/node/*', async (route) => {
    if (route.request().method() === 'PATCH') titles.push(route.request().postDataJSON().title[0].value);
    await route.continue();
  });
  for (let press = 0; press < 5; press += 1) await back(page);
  await page.getByRole('gridcell', { name: 'Isola 1' }).waitFor();
  assert.deepEqual(titles, ['Isola 5', 'Isola 4', 'Isola 3', 'Isola 2', 'Isola 1']);
  assert.equal((await read(rest, nid)).title[0].value, 'Isola 1');
  await page.reload();
  await page.getByRole('gridcell', { name: 'Isola 1' }).waitFor();
  for (let press = 0; press < 5; press += 1) await again(page);
  await page.getByRole('gridcell', { name: 'Isola 6' }).waitFor();
  assert.equal((await read(rest, nid)).title[0].value, 'Isola 6');
});

test('what is remembered while something else is taken back stays what it is', async (t) => {
  const { page, rest, nid } = await withItem(t, 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova');
  const held = [];
  await page.route(`**/node/${nid}?*`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  await back(page);
  await until('the undo is under way', () => held.length === 1);
  await makeCollection(page, 'Maps');
  await page.keyboard.press('Escape');
  await held[0]();
  await page.getByText('Undone: Title of “Isola nova”').waitFor();
  await back(page);
  await page.getByText('Undone: new “Maps”').waitFor();
  assert.equal((await read(rest, nid)).title[0].value, 'Isola nova');
});

test('what was made here, changed and changed back goes again without a question', async (t) => {
  const { page } = await withItem(t, 'Isola nova');
  await makeCollection(page, 'Maps');
  await page.getByRole('treeitem', { name: /^All items/ }).click();
  await retitle(page, 'Maps', 'Charts');
  await back(page);
  await page.getByText('Undone: Title of “Maps”').waitFor();
  await back(page);
  await page.getByText('Undone: new “Maps”').waitFor();
  await page.getByRole('treeitem', { name: 'Maps' }).waitFor({ state: 'detached' });
});
