import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('a page without a list keeps nothing of the last list in the status bar', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const bar = page.getByRole('contentinfo');
  const count = bar.getByTestId('item-count');
  const pages = page.getByRole('list', { name: 'Administration' });
  const open = (name) => pages.getByRole('button', { name }).click();
  const shortcuts = bar.locator('kbd', { hasText: '?' });
  await shortcuts.waitFor();
  await open(/^Health/);
  await shortcuts.waitFor({ state: 'detached' });
  assert.equal(await count.textContent(), '');

  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  await rest.createItem('Caprera', { field_model: [{ target_id: model }] });
  const select = async () => {
    await page.getByRole('treeitem', { name: 'All items' }).click();
    await page.getByRole('gridcell', { name: 'Caprera' }).click();
    await bar.getByText('1 selected').waitFor();
    await count.getByText('1 item').waitFor();
  };
  const others = [
    () => page.getByRole('treeitem', { name: 'Trash' }).click(),
    () => open(/^Health/),
    () => open(/^Vocabularies/),
  ];
  for (const leave of others) {
    await select();
    await leave();
    await bar.getByText('1 selected').waitFor({ state: 'detached' });
    assert.equal(await count.textContent(), '');
  }
});
