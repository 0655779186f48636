import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A fonds with two series and a file below one of them, and a page of somebody who has signed in. */
async function withFonds(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const collection = await rest.term('islandora_models', 'Collection');
  const put = async (title, parents, model = collection) => {
    const fields = { field_model: [{ target_id: model }], field_member_of: parents.map(toReference) };
    return (await rest.createItem(title, fields)).nid[0].value;
  };
  const fonds = await put('Port Authority', []);
  const north = await put('North pier', [fonds]);
  const south = await put('South pier', [fonds]);
  const file = await put('File 7', [north]);
  const image = await rest.term('islandora_models', 'Image');
  await put('Herring quay', [north, south], image);
  await put('Herring ledger', [file], image);
  await put('Sardine quay', [file], image);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  return { page, baseUrl, file };
}

const toReference = (nid) => ({ target_id: nid });
const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });
const row = (page, name) => page.getByRole('treeitem', { name, exact: true });
const below = (page) => page.getByRole('switch', { name: 'With everything below' });

test('a collection counts, lists and searches everything below it', async (t) => {
  const { page } = await withFonds(t);
  const count = row(page, 'Port Authority').locator('[data-count="3"]');
  await count.waitFor({ state: 'attached' });
  assert.equal(await count.getAttribute('title'), '3 items, 0 of them directly here');
  await row(page, 'Port Authority').click();
  await cell(page, 'North pier').locator('[data-words="3 items"]').waitFor({ state: 'attached' });
  await page
    .getByTestId('item-count')
    .getByText('2 collections here, 3 items with everything below')
    .waitFor();

  await below(page).click();
  await cell(page, 'Herring ledger').waitFor();
  await accessible(page, 'everything below a collection');
  await page.reload();
  await cell(page, 'Herring ledger').click();
  await page.keyboard.press('Control+a');
  await page.getByText('6 selected').first().waitFor();
  await below(page).click();
  await cell(page, 'Herring ledger').waitFor({ state: 'detached' });

  await page.getByTestId('search').fill('herring');
  await page.keyboard.press('Enter');
  await cell(page, 'Herring ledger').waitFor();
  assert.equal(await below(page).getAttribute('aria-checked'), 'true');
  await below(page).click();
  await page.getByText('No items match “herring”').waitFor();
  await page
    .getByText('Searched the text of items in “Port Authority”, not in its sub-collections.')
    .waitFor();
  await page.getByRole('main').getByRole('button', { name: 'With everything below' }).click();
  await cell(page, 'Herring quay').waitFor();
});

test('an empty list says what was searched, and where', async (t) => {
  const { page } = await withFonds(t);
  await cell(page, 'Herring quay').waitFor();
  await page.getByTestId('add-filter').click();
  await page.getByRole('menuitem', { name: 'Has a value in' }).click();
  await page.getByRole('option', { name: 'Extent', exact: true }).click();
  await page.getByText('No items match these filters').waitFor();
  await page.getByText('Searched all items.').waitFor();
  await page.getByTestId('search').fill('whale');
  await page.getByText('Searched the text of all items.').waitFor();
});

test('the tree shows a nested collection that the palette or a link opens', async (t) => {
  const { page, baseUrl, file } = await withFonds(t);
  await row(page, 'Port Authority').waitFor();
  assert.equal(await row(page, 'File 7').count(), 0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('file 7');
  await page.getByRole('option', { name: /^File 7.*2 items/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  const shown = page.getByRole('treeitem', { name: 'File 7', exact: true, selected: true });
  await shown.waitFor();
  await page.goto(`${baseUrl}/node/${file}`);
  await shown.waitFor();
  await row(page, 'South pier').waitFor();
});

test('health tells whether files were checked', async (t) => {
  const { baseUrl, password } = await serve(t, '[fixity]\nenabled = false\n');
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Digital Document');
  const item = await rest.createItem('Chart', { field_model: [{ target_id: model }] });
  const use = await rest.term('islandora_media_use', 'Original File');
  await rest.upload(item.nid[0].value, 'document', use, 'public://chart.txt', 'text/plain', 'bytes');
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Health' }).click();
  const words = page.getByText('1 file. None checked yet.');
  await words.waitFor();
  assert.equal(await words.locator('.good').count(), 0);
});

test('health shows how the bucket answers', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  const bucket = {
    ...{ place: 'bucket "archive" at http://store', is_left: false, spool: 0, cached: 1e6, most_cached: 1e9 },
    ...{ requests: 12, failures: 1, last_failure: 'denied', last_failed: new Date().toISOString() },
    ...{ latency: 5, longest_latency: 8 },
  };
  await page.route('**/api/v1/server', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), bucket } });
  });
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Health' }).click();
  await page.getByText('Answers in 5 ms, at the most 8 ms').waitFor();
  await page.getByText('12 requests since the start, 1 failed').waitFor();
  await page.getByText(/: the store refused the credentials\.$/).waitFor();
  await page.getByText('Cache on this disk: 1 MB of 1 GB.').waitFor();
});
