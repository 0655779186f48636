import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A desk on a list of 320 sheets, the newest first. */
async function manySheets(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const titles = Array.from({ length: 320 }, (_, index) => `Sheet ${String(index + 1).padStart(3, '0')}`);
  const model = await rest.term('islandora_models', 'Image');
  for (const title of titles) await rest.createItem(title, { field_model: [{ target_id: model }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const grid = page.getByRole('grid', { name: 'Items' });
  await grid.getByText('Sheet 320').first().waitFor();
  return { page, grid };
}

test('a long list is gone to at any place, as table and as thumbnails, and chosen and deleted whole', async (t) => {
  const { page, grid } = await manySheets(t);
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

test('an item that is opened by its name, by going back or after its title was changed is brought into view', async (t) => {
  const { page, grid } = await manySheets(t);
  const chosen = (name) => grid.getByRole('gridcell', { name, selected: true });
  const open = async (name) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to anything' }).fill(name);
    await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await chosen(name).waitFor();
    assert.ok(await inView(grid, chosen(name)), name);
  };
  await open('Sheet 005');
  // Its place in the list is known before the item itself.
  await page.route('**/api/v1/items/318', async (route) => {
    await page.waitForTimeout(1000);
    await route.continue();
  });
  await open('Sheet 318');
  await page.unrouteAll({ behavior: 'wait' });
  await open('Sheet 005');
  await page.keyboard.press('Alt+ArrowLeft');
  await chosen('Sheet 318').waitFor();
  assert.ok(await inView(grid, chosen('Sheet 318')));

  // The same one again, after looking elsewhere.
  await grid.evaluate((list) => (list.scrollTop = list.scrollHeight));
  await grid.getByText('Sheet 001').first().waitFor();
  await open('Sheet 318');

  await page.getByRole('button', { name: /^Sort/ }).click();
  await page.getByRole('menuitemradio', { name: 'Title' }).click();
  await grid.getByText('Sheet 001').first().waitFor();
  const title = page
    .getByRole('complementary', { name: 'Inspector' })
    .getByRole('textbox', { name: 'Title' });
  await title.fill('Aaa, the first');
  await title.press('Tab');
  await chosen('Aaa, the first').waitFor();
  await title.fill('Zzz, the last');
  await title.press('Tab');
  await chosen('Zzz, the last').waitFor();
  assert.ok(await inView(grid, chosen('Zzz, the last')));
});

/** Whether all of an element lies within the frame of another one. */
async function inView(frame, element) {
  const [outer, inner] = [await frame.boundingBox(), await element.boundingBox()];
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}
