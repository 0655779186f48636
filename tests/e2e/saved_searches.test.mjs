import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** Two maps and a plan, and a page of an administrator that shows them. */
async function withMaps(t, options) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const field_model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  const add = (title) => rest.createItem(title, { field_model, field_extent: [{ value: '1 leef' }] });
  for (const title of ['Map of the quay', 'Map of the pier', 'Plan of the lock']) await add(title);
  const page = await openBrowser(t, options);
  await signIn(page, baseUrl, password);
  await cell(page, 'Plan of the lock').waitFor();
  return { page, rest, add, baseUrl, password };
}

const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });
const tree = (page) => page.getByRole('tree', { name: 'Saved searches' });
const row = (page, name) => tree(page).getByRole('treeitem', { name, exact: true });
const counts = (page, name, count) =>
  until(`${name} counts ${count}`, async () => {
    return (await row(page, name).locator('.count').getAttribute('data-count')) === String(count);
  });

/** Searches for words and saves that; `name` replaces the proposed one. */
async function save(page, words, { name, isPublic = false } = {}) {
  await page.getByTestId('search').fill(words);
  await page.keyboard.press('Tab');
  await page.getByTestId('save-search-open').click();
  const dialog = page.getByTestId('save-search');
  const field = dialog.getByRole('textbox', { name: 'Name' });
  assert.equal(await field.inputValue(), words);
  if (name) await field.fill(name);
  if (isPublic) await dialog.getByRole('checkbox', { name: 'For all' }).check();
  await accessible(page, 'saving a search');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await row(page, name ?? words).waitFor();
}

test('a saved search stands in the tree with its count, opens its list and follows changes', async (t) => {
  const { page, add } = await withMaps(t);
  assert.equal(await tree(page).count(), 0);
  await save(page, 'map', { name: 'All maps' });
  await counts(page, 'All maps', 2);
  assert.equal(await row(page, 'All maps').getAttribute('aria-selected'), 'true');
  await accessible(page, 'a saved search in the tree');
  await page.getByRole('treeitem', { name: 'All items' }).click();
  await cell(page, 'Plan of the lock').waitFor();
  assert.equal(await row(page, 'All maps').getAttribute('aria-selected'), 'false');
  await row(page, 'All maps').click();
  await cell(page, 'Plan of the lock').waitFor({ state: 'detached' });
  await cell(page, 'Map of the quay').waitFor();
  await page.reload();
  await cell(page, 'Map of the quay').waitFor();
  assert.equal(await cell(page, 'Plan of the lock').count(), 0);
  assert.equal(await row(page, 'All maps').getAttribute('aria-selected'), 'true');
  await add('Map of the light');
  await counts(page, 'All maps', 3);
  await cell(page, 'Map of the light').waitFor();
});

test('one that was changed is saved, or saved as another', async (t) => {
  const { page } = await withMaps(t);
  await save(page, 'map');
  await page.getByTestId('search').fill('map quay');
  await page.getByText('Saved search changed').waitFor();
  // The suggestions close.
  await page.keyboard.press('Tab');
  await page.getByTestId('save-search-as').click();
  const dialog = page.getByTestId('save-search');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The quay');
  await page.keyboard.press('Enter');
  await counts(page, 'The quay', 1);
  await counts(page, 'map', 2);
  await row(page, 'map').click();
  await page.getByTestId('search').fill('plan');
  await page.keyboard.press('Tab');
  await page.getByTestId('update-search').click();
  await counts(page, 'map', 1);
  await page.getByText('Saved search changed').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await counts(page, 'map', 2);
});

test('the keyboard saves, walks, renames, deletes and takes back', async (t) => {
  const { page } = await withMaps(t);
  await page.getByTestId('search').fill('map');
  await page.getByTestId('save-search-open').waitFor();
  await page.keyboard.press('Control+Shift+S');
  await page.getByTestId('save-search').waitFor();
  await page.keyboard.press('Enter');
  await counts(page, 'map', 2);
  await page.getByRole('treeitem', { name: 'Trash' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('F2');
  await page.keyboard.type('Charts');
  await page.keyboard.press('Enter');
  await row(page, 'Charts').waitFor();
  await until('the row has the focus', () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Charts'),
  );
  // The list of the server is read late: what is taken back meanwhile leaves it as it was.
  await page.route(/saved-searches\?/, async (route) => {
    await setTimeout(1000);
    await route.continue().catch(() => {});
  });
  await page.keyboard.press('Delete');
  await page.getByText('Deleted the search “Charts”').waitFor();
  await row(page, 'Charts').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await counts(page, 'Charts', 2);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('saved search charts');
  await page.getByRole('option', { name: 'Saved search: Charts', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await until('it is open', async () => (await row(page, 'Charts').getAttribute('aria-selected')) === 'true');
});

test('others see those for all and no private ones, each with a count of their own', async (t) => {
  const { page, rest, baseUrl, password } = await withMaps(t);
  await save(page, 'map', { name: 'Maps', isPublic: true });
  await page.getByRole('treeitem', { name: 'All items' }).click();
  await save(page, 'plan', { name: 'Plans' });
  const name = 'mira';
  await rest.create('/api/v1/users', { name, password: `${password} 2`, roles: ['editor'] });
  const hers = await openBrowser(t);
  await signIn(hers, baseUrl, `${password} 2`, name);
  await counts(hers, 'Maps', 2);
  assert.equal(await row(hers, 'Plans').count(), 0);
  await row(hers, 'Maps').click({ button: 'right' });
  await hers.getByRole('menuitem', { name: 'Update to the present search' }).waitFor();
  assert.equal(await hers.getByRole('menuitem', { name: 'Make it private' }).count(), 0);
  await hers.keyboard.press('Escape');
  await row(page, 'Maps').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Make it private' }).click();
  await page.getByText('“Maps” is private now').waitFor();
  await hers.reload();
  await cell(hers, 'Plan of the lock').waitFor();
  await until('she sees none', async () => (await tree(hers).count()) === 0);
});

test('all that a saved search finds is changed at once', async (t) => {
  const { page, rest } = await withMaps(t);
  await save(page, 'map');
  await page.getByRole('treeitem', { name: 'All items' }).click();
  await row(page, 'map').click();
  await cell(page, 'Plan of the lock').waitFor({ state: 'detached' });
  await cell(page, 'Map of the quay').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+e');
  await page.getByTestId('batch-field').click();
  await page.getByRole('combobox', { name: /^Field/ }).fill('Extent');
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('button', { name: 'Find and replace' }).click();
  await inspector.getByRole('textbox', { name: 'Find: Extent' }).fill('leef');
  await inspector.getByRole('textbox', { name: 'Replace with: Extent' }).fill('leaf');
  await inspector.getByRole('button', { name: 'Change 2 items' }).click();
  await page.getByText('Changed Extent of 2 items').waitFor();
  const { items } = await (await rest.send('GET', '/api/v1/items?sort=title&fields=field_extent')).json();
  assert.deepEqual(
    items.map(({ title, fields }) => [title, fields.field_extent[0].value]),
    [
      ['Map of the pier', '1 leaf'],
      ['Map of the quay', '1 leaf'],
      ['Plan of the lock', '1 leef'],
    ],
  );
});
