import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowser } from '../support/browser.mjs';
import { pressUntilOn } from '../support/keys.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A collection of sheets in custom order, and a page that shows it; nobody has touched a mouse. */
async function withSheets(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const [collection, image] = await Promise.all(
    ['Collection', 'Image'].map((name) => rest.term('islandora_models', name)),
  );
  const made = await rest.createItem('Sheets', {
    field_model: [{ target_id: collection }],
  });
  for (const [index, title] of ['First', 'Second', 'Third'].entries()) {
    await rest.createItem(title, {
      field_model: [{ target_id: image }],
      field_member_of: [{ target_id: made.nid[0].value }],
      field_weight: [{ value: index + 1 }],
    });
  }
  const page = await openBrowser(t);
  await page.goto(`${baseUrl}/user/login`);
  await pressUntilOn(page, 'Tab', page.getByLabel('Name'));
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByTestId('session-menu').waitFor();
  return { page, rest, nid: made.nid[0].value };
}

test('an item is found, ordered, described, published, deleted and brought back by keys alone', async (t) => {
  const { page, rest, nid } = await withSheets(t);
  const card = (name) => page.getByRole('gridcell', { name, exact: true });
  const grid = page.getByRole('grid');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).waitFor();
  await page.keyboard.type('Sheets');
  await page.getByRole('option', { name: /^Sheets/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: /Sheets/, selected: true }).waitFor();
  await card('Third').waitFor();

  await pressUntilOn(page, 'Tab', page.getByRole('button', { name: /^Sort/ }));
  await page.keyboard.press('Enter');
  const byHand = page.getByRole('menuitemradio', { name: 'custom order' });
  await byHand.waitFor();
  await pressUntilOn(page, 'ArrowDown', byHand, 10);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sort: custom order' }).waitFor();

  await pressUntilOn(page, 'F6', grid, 4);
  await page.keyboard.press('Home');
  await page.getByRole('gridcell', { name: 'First', exact: true, selected: true }).waitFor();
  await page.route('**/api/v1/items?*', async (route) => {
    await delay(500);
    await route.continue();
  });
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('Moved “First”').waitFor();
  // The list has its former order still.
  await page.keyboard.press('F2');
  const title = page.getByTestId('field-title');
  await page.waitForFunction(
    (field) => document.activeElement === field && field.value === 'First',
    await title.elementHandle(),
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.type('First sheet');
  await page.keyboard.press('Tab');
  await card('First sheet').waitFor();

  const visible = (checked) => inspector.getByRole('switch', { checked });
  const query = new URLSearchParams({
    collection: nid,
    sort: 'weight',
    order: 'asc',
  });
  const sheets = async () => {
    const { items } = await (await rest.send('GET', `/api/v1/items?${query}`)).json();
    return items.map((item) => [item.title, item.status]);
  };
  const isSaved = (checked) =>
    until('it is saved', async () =>
      (await sheets()).some(([title, status]) => title === 'First sheet' && status === checked),
    );
  await pressUntilOn(page, 'Shift+Tab', visible(true));
  await page.keyboard.press('Space');
  await visible(false).waitFor();
  await isSaved(false);
  await page.keyboard.press('Space');
  await visible(true).waitFor();
  await isSaved(true);

  await pressUntilOn(page, 'F6', grid, 4);
  await page.keyboard.press('Delete');
  const erase = page.getByRole('button', { name: 'Delete item', exact: true });
  await erase.waitFor();
  await pressUntilOn(page, 'Tab', erase, 10);
  await page.keyboard.press('Enter');
  await card('First sheet').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await card('First sheet').waitFor();

  assert.deepEqual(await sheets(), [
    ['Second', true],
    ['First sheet', true],
    ['Third', true],
  ]);
});
