import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A collection that is not public, with one item, and a letter elsewhere. */
async function withDrafts(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const collection = await rest.term('islandora_models', 'Collection');
  const image = await rest.term('islandora_models', 'Image');
  const make = async (title, model, parents) => {
    const fields = { field_model: [{ target_id: model }], status: [{ value: false }] };
    const made = await rest.createItem(title, { ...fields, field_member_of: parents });
    return made.nid[0].value;
  };
  const maps = await make('Maps', collection, []);
  const chart = await make('Harbour chart', image, [{ target_id: maps }]);
  const letter = await make('Harbour letter', image, []);
  return { baseUrl, password, nids: { maps, chart, letter } };
}

/** Makes a link to the collection Maps in the window, and returns its address. */
async function shareMaps(page) {
  await page.getByRole('treeitem', { name: /^Maps/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Share by link…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share “Maps”' });
  await dialog.getByText('No links yet.').waitFor();
  await dialog.getByLabel('For', { exact: true }).fill('Reviewer, March');
  await accessible(page, 'share by link');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const address = await dialog.getByTestId('issued-link').locator('code').textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return address;
}

test('a visitor with a link sees what was shared, until it is revoked', async (t) => {
  const { baseUrl, password, nids } = await withDrafts(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const address = await shareMaps(page);

  const visitor = await openBrowser(t);
  await visitor.goto(address);
  await visitor.getByTestId('shared-notice').getByRole('link', { name: 'Maps' }).waitFor();
  assert.equal(new URL(visitor.url()).pathname, `/node/${nids.maps}`);
  await accessible(visitor, 'what a link shows');
  await visitor.goto(`${baseUrl}/node/${nids.chart}`);
  await visitor.getByRole('heading', { name: 'Harbour chart' }).waitFor();
  await visitor.goto(`${baseUrl}/node/${nids.letter}`);
  await visitor.getByText('This page is not public').waitFor();

  await page.goto(`${baseUrl}/admin/server`);
  const list = page.getByTestId('share-links');
  await list.getByText('Reviewer, March').waitFor();
  await list.getByRole('button', { name: 'Revoke Reviewer, March' }).click();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByText('Revoked the link “Reviewer, March”').waitFor();
  await visitor.goto(`${baseUrl}/node/${nids.chart}`);
  await visitor.getByText('This page is not public').waitFor();
  await visitor.goto('about:blank');
  await visitor.goto(address);
  await visitor.getByText('This link does not open').waitFor();
});

test('who has an account chooses how a link is opened, and a visitor leaves it', async (t) => {
  const { baseUrl, password } = await withDrafts(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const address = await shareMaps(page);
  await page.goto(address);
  await page.getByText('You are signed in as admin').waitFor();
  await accessible(page, 'a link for somebody with an account');
  await page.getByRole('button', { name: 'Sign out and open the link' }).click();
  const notice = page.getByTestId('shared-notice');
  await notice.waitFor();
  await page.reload();
  await notice.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('This page is not public').waitFor();
});
