import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A collection with items of these titles, and a page that lists it by title. */
async function withItems(t, titles) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const [collection, image] = [
    await rest.term('islandora_models', 'Collection'),
    await rest.term('islandora_models', 'Image'),
  ];
  const shelf = await rest.createItem('Shelf', { field_model: [{ target_id: collection }] });
  const add = async (title) => {
    const made = await rest.createItem(title, {
      field_model: [{ target_id: image }],
      field_member_of: [{ target_id: shelf.nid[0].value }],
    });
    return made.nid[0].value;
  };
  const nids = {};
  for (const title of titles) nids[title] = await add(title);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('treeitem', { name: 'Shelf', exact: true }).click();
  const shows = (wanted) =>
    until(`${wanted} are shown`, async () => {
      const cards = page.getByRole('gridcell');
      const shown = await cards.evaluateAll((all) => all.map((one) => one.ariaLabel));
      return String(shown.slice(0, wanted.length)) === String(wanted);
    });
  await shows(titles.slice(0, 4));
  return { page, rest, nids, add, shows };
}

const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });

/** Retitles the selected item by keys, and goes back to the list. */
async function retitleByKeys(page, to) {
  await page.keyboard.press('F2');
  const title = page
    .getByRole('complementary', { name: 'Inspector' })
    .getByRole('textbox', { name: 'Title' });
  await until('the title can be typed', () => title.evaluate((one) => one === document.activeElement));
  await title.fill(to);
  await page.keyboard.press('Shift+F6');
  await cell(page, to).getByTitle('Will move when the list is refreshed').waitFor();
}

test('items keep their places while somebody describes them, until the list is sorted again', async (t) => {
  const { page, rest, nids, add, shows } = await withItems(t, ['A', 'B', 'C', 'D', 'E']);
  await cell(page, 'B').click();
  await retitleByKeys(page, 'Z');
  await page.keyboard.press('ArrowRight');
  await cell(page, 'C')
    .and(page.getByRole('gridcell', { selected: true }))
    .waitFor();
  await retitleByKeys(page, 'Y');
  await shows(['A', 'Z', 'Y', 'D', 'E']);
  await accessible(page, 'items that will move');
  await page.keyboard.press('Control+z');
  await shows(['A', 'Z', 'C', 'D', 'E']);
  await cell(page, 'C').getByTitle('Will move when the list is refreshed').waitFor({ state: 'detached' });
  await add('Dd');
  await rest.send('DELETE', `/node/${nids.D}?_format=json`);
  await shows(['A', 'Z', 'C', 'Dd', 'E']);
  await page.keyboard.press('ArrowLeft');
  await cell(page, 'Z')
    .and(page.getByRole('gridcell', { selected: true }))
    .waitFor();
  await page.getByRole('button', { name: 'Sort again' }).click();
  await shows(['A', 'C', 'Dd', 'E', 'Z']);
  await cell(page, 'Z')
    .and(page.getByRole('gridcell', { selected: true }))
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sort again' }).count(), 0);
});

test('an item keeps its place whose new one is far away', async (t) => {
  const titles = Array.from({ length: 240 }, (_, index) => `Sheet ${1000 + index}`);
  const { page, shows } = await withItems(t, titles);
  await cell(page, 'Sheet 1001').click();
  await retitleByKeys(page, 'Z');
  await page.keyboard.press('ArrowRight');
  await cell(page, 'Sheet 1002')
    .and(page.getByRole('gridcell', { selected: true }))
    .waitFor();
  await shows(['Sheet 1000', 'Z', 'Sheet 1002', 'Sheet 1003']);
  await page.getByRole('button', { name: 'Sort again' }).click();
  await shows(['Sheet 1000', 'Sheet 1002', 'Sheet 1003', 'Sheet 1004']);
});

test('with everything twice as large, collections, pages and buttons are in reach', async (t) => {
  const { page } = await withItems(t, ['A', 'B', 'C', 'D']);
  await page.setViewportSize({ width: 640, height: 400 });
  await page.getByTestId('search').fill('B');
  await page.keyboard.press('Enter');
  await cell(page, 'C').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add', exact: true }).click({ trial: true });
  await page.getByRole('button', { name: 'Show the tree' }).click();
  for (const reached of [
    page.getByRole('treeitem', { name: 'Shelf' }),
    page.locator('#pane-tree').getByText('Server', { exact: true }),
  ]) {
    await reached.scrollIntoViewIfNeeded();
    await reached.click({ trial: true });
  }
});
