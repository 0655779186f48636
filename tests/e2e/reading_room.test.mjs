import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const picture = () => readFile(new URL('../samples/pictures/large.jpg', import.meta.url));

/** A collection with a chart of an author, and one for staff only. */
async function openRepository(t) {
  const { baseUrl, password } = await serve(t, 'name = "Island Maps"\n');
  const rest = new Rest(baseUrl, password);
  const [image, collection, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_models', 'Collection'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const author = await rest.createTerm('person', 'Coronelli, Vincenzo');
  const make = async (title, model, fields) => {
    const item = await rest.createItem(title, { field_model: [{ target_id: model }], ...fields });
    return item.nid[0].value;
  };
  const atlas = await make('Atlas', collection, { field_description: [{ value: 'Charts of the islands' }] });
  const within = { field_member_of: [{ target_id: atlas }] };
  const chart = await make('Chart of Candia', image, {
    ...within,
    field_description: [{ value: 'A harbour with a mole' }],
    field_edtf_date_created: [{ value: '1693-04' }],
    field_linked_agent: [{ target_id: author.tid[0].value, rel_type: 'relators:aut' }],
  });
  const hidden = await make('Secret chart', image, { ...within, status: [{ value: false }] });
  await rest.upload(chart, 'image', use, 'public://candia.jpg', 'image/jpeg', await picture());
  const page = await openBrowser(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  return { baseUrl, password, page, atlas, chart, hidden };
}

test('a visitor reads an item at its address: picture, words, citation, file', async (t) => {
  const { baseUrl, page, chart } = await openRepository(t);
  await page.goto(`${baseUrl}/node/${chart}`);
  const room = page.getByTestId('item-page');
  await room.getByRole('heading', { name: 'Chart of Candia' }).waitFor();
  await room.getByText('A harbour with a mole').waitFor();
  await room.getByText('April 1693', { exact: true }).waitFor();
  await accessible(page, 'the public page of an item');
  assert.equal(await page.title(), 'Chart of Candia · Island Maps');

  const citation = room.getByTestId('citation');
  const cited = `Chart of Candia. Island Maps. ${baseUrl}/node/${chart}`;
  await citation.getByText(`Coronelli, V. (1693). ${cited}`).waitFor();
  await room.getByRole('button', { name: 'Chicago' }).click();
  await citation.getByText('Coronelli, Vincenzo. Chart of Candia. 1693. Island Maps.').waitFor();
  await room.getByRole('button', { name: 'MLA' }).click();
  await room.getByRole('button', { name: 'Copy citation' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^Coronelli, Vincenzo\. Chart of Candia\. 1693\. Island Maps, .* Accessed /);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    room.getByTestId('downloads').getByRole('link', { name: 'candia.jpg' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'candia.jpg');
  const record = await page.request.get(await room.getByRole('link', { name: 'MODS' }).getAttribute('href'));
  assert.ok((await record.text()).includes('<title>Chart of Candia</title>'));

  await room.getByTestId('open-viewer').click();
  const viewer = page.getByTestId('viewer');
  await viewer.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });

  await room.getByRole('link', { name: 'Coronelli, Vincenzo' }).click();
  await page.getByRole('gridcell', { name: 'Chart of Candia' }).waitFor();
  await page.goBack();
  await room.waitFor();
});

test('a visitor finds an item in its collection, and reads what the collection is', async (t) => {
  const { baseUrl, page, atlas, chart } = await openRepository(t);
  await page.goto(`${baseUrl}/node/${atlas}`);
  const intro = page.getByTestId('collection-intro');
  await intro.getByText('Charts of the islands').waitFor();
  await intro.getByRole('button', { name: 'About this collection' }).click();
  await intro.getByTestId('citation').getByText('Atlas. (n.d.). Island Maps.').waitFor();
  await accessible(page, 'the public page of a collection');
  assert.equal(await page.getByRole('gridcell', { name: 'Secret chart' }).count(), 0);
  await page.getByRole('gridcell', { name: 'Chart of Candia' }).click();
  const room = page.getByTestId('item-page');
  await room.waitFor();
  assert.equal(new URL(page.url()).pathname, `/node/${chart}`);
  await room.getByRole('button', { name: 'Back' }).click();
  await intro.waitFor();

  await page.goto(`${baseUrl}/node/${chart}`);
  await room.getByRole('searchbox').fill('candia');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Chart of Candia' }).waitFor();
});

test('what is not public says so, and who signs in is back at it', async (t) => {
  const { baseUrl, password, page, hidden } = await openRepository(t);
  await page.goto(`${baseUrl}/node/${hidden}`);
  await page.getByText('This page is not public').waitFor();
  await accessible(page, 'a page that is not public');
  assert.ok(!(await page.content()).includes('Secret chart'));
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('gridcell', { name: 'Secret chart', selected: true }).waitFor();
});
