import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('what is unfiled is what lies in no collection, and a collection at the top is none of it', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const of = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  await rest.createItem('Atlas', { field_model: await of('Collection') });
  await rest.createItem('Loose sheet', { field_model: await of('Image') });

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('treeitem', { name: 'Atlas' }).waitFor();
  const unfiled = page.getByRole('treeitem', { name: 'Unfiled' });
  await unfiled.click();
  await page.getByRole('gridcell', { name: 'Loose sheet' }).waitFor();
  assert.equal(await page.getByRole('gridcell', { name: 'Atlas' }).count(), 0);
  await unfiled.locator('[data-count="1"]').waitFor({ state: 'attached' });
});

test('a visitor is not offered an empty list of what is unfiled', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const of = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const atlas = await rest.createItem('Atlas', { field_model: await of('Collection') });
  const sheet = { field_model: await of('Image') };
  await rest.createItem('Bound sheet', { ...sheet, field_member_of: [{ target_id: atlas.nid[0].value }] });

  const page = await openBrowser(t);
  const unfiled = page.getByRole('treeitem', { name: 'Unfiled' });
  const all = page.getByRole('treeitem', { name: 'All items' });
  await page.goto(baseUrl);
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await all.locator('[data-count="2"]').waitFor({ state: 'attached' });
  assert.equal(await unfiled.count(), 0);
  await rest.createItem('Loose sheet', sheet);
  await page.reload();
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await unfiled.locator('[data-count="1"]').waitFor({ state: 'attached' });
  await signIn(page, baseUrl, password);
  await unfiled.waitFor();
});
