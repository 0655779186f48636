import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCollection, openBrowser, signIn } from '../support/browser.mjs';
import { hold } from '../support/hold.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A page with two described items. */
async function withItems(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  for (const title of ['Harbour', 'Quay']) await rest.createItem(title, { field_model: model });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).waitFor();
  return { page, rest, baseUrl };
}

const hasFocus = (locator) => locator.evaluate((one) => one === document.activeElement);

test('after a page was opened by a button that goes with the former page, the keyboard is in the new one', async (t) => {
  const { page } = await withItems(t);
  await page.getByRole('button', { name: 'Vocabularies' }).click();
  await page.getByRole('button', { name: 'New term' }).click();
  await page.getByTestId('new-term').waitFor();
  const name = page.getByRole('textbox', { name: 'Name' });
  await until('the name has the keyboard', () => hasFocus(name));
  await page.keyboard.type('Moles');
  await page.keyboard.press('Enter');
  await page.getByTestId('new-term').waitFor({ state: 'detached' });
  await until('the page of the term has the keyboard', () => hasFocus(page.locator('#pane-items')));
});

test('an error leaves with the first correction of what it was about', async (t) => {
  const { page } = await withItems(t);
  const alerts = (within) => within.getByRole('alert');
  await page.keyboard.press('Control+Shift+N');
  const create = page.getByTestId('create');
  await create.getByRole('button', { name: 'Create collection' }).click();
  await alerts(create).waitFor();
  await create.getByRole('textbox', { name: 'Title' }).fill('Plates');
  assert.equal(await alerts(create).count(), 0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Vocabularies' }).click();
  await page.getByRole('button', { name: 'New term' }).click();
  const term = page.getByTestId('new-term');
  await term.getByRole('button').click();
  await alerts(term).waitFor();
  await term.getByRole('textbox').fill('Moles');
  assert.equal(await alerts(term).count(), 0);

  await page.getByRole('treeitem', { name: /^All items/ }).click();
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  const title = page.locator('[data-field="title"]');
  await page.getByTestId('field-title').fill('');
  await page.getByTestId('search').focus();
  await title.and(page.locator('[data-state="wrong"]')).waitFor();
  await page.getByTestId('field-title').fill('Pier');
  assert.equal(await title.locator('.bad').count(), 0);
  await page.getByTestId('search').focus();
  await title.and(page.locator('[data-state="saved"]')).waitFor();
});

test('the inspector shows no item that the filter of the list leaves out, and keeps what was typed', async (t) => {
  const { page } = await withItems(t);
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  const title = page.getByTestId('field-title');
  await title.fill('');
  await page.getByTestId('search').fill('Harbour');
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).waitFor({ state: 'detached' });
  await title.waitFor({ state: 'detached' });
  await page.getByTestId('search').fill('');
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  await title.waitFor();
  assert.equal(await title.inputValue(), '');
});

test('what is typed before the form of the next item is there arrives in it', async (t) => {
  const { page, rest } = await withItems(t);
  const { items } = await (await rest.send('GET', '/api/v1/items?sort=title&order=asc')).json();
  const [harbour, quay] = items;
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  await page.getByTestId('field-field_description').click();
  const form = await hold(page, `**/node/${harbour.nid}?_format=json`);
  await page.keyboard.type('Stone');
  await page.keyboard.press('Alt+PageDown');
  await page.keyboard.type('Ships and cranes');
  await form.begun();
  await page.keyboard.type(', at noon');
  await page.keyboard.press('Alt+PageUp');
  await page.keyboard.type(' wall');
  await form.letGo();
  const described = async ({ nid }) =>
    (await (await rest.send('GET', `/node/${nid}?_format=json`)).json()).field_description[0]?.value;
  await until(
    'the next item is described',
    async () => (await described(harbour)) === 'Ships and cranes, at noon',
  );
  await page.getByTestId('search').focus();
  const both = ['Stone wall', ' wallStone'];
  await until('the former one is', async () => both.includes(await described(quay)));
});
