import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../stage/browser.mjs';
import { Rest } from '../stage/rest.mjs';
import { serve } from '../stage/serve.mjs';

test('a long list is gone to at any place, as table and as thumbnails, and chosen and deleted whole', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const titles = Array.from({ length: 320 }, (_, index) => `Sheet ${String(index + 1).padStart(3, '0')}`);
  const model = await rest.term('islandora_models', 'Image');
  for (const title of titles) await rest.createItem(title, { field_model: [{ target_id: model }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const grid = page.getByRole('grid', { name: 'Items' });
  for (const view of ['Table (Ctrl+2)', 'Thumbnails (Ctrl+1)']) {
    await page.getByRole('button', { name: view }).click();
    // The newest first: the first one made is the last.
    await grid.getByText('Sheet 320').first().waitFor();
    await grid.focus();
    await page.keyboard.press('End');
    await grid.getByText('Sheet 001').first().waitFor();
    assert.ok((await grid.getByRole('gridcell').count()) < 700, 'only what is looked at is drawn');
    await grid.evaluate((list) => (list.scrollTop = list.scrollHeight / 2));
    await grid.getByText('Sheet 160').first().waitFor();
    await page.keyboard.press('Home');
    await grid.getByText('Sheet 320').first().waitFor();
  }

  await grid.getByText('Sheet 318').first().click();
  await page.keyboard.press('Shift+End');
  await page.getByText('318 selected', { exact: true }).waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('320 selected', { exact: true }).waitFor();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete 320 items' }).click();
  await page.getByText('Deleted 320 items').waitFor();
});
