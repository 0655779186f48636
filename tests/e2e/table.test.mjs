import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** Three described items in a table. */
async function withTable(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const [image, audio] = [
    await rest.term('islandora_models', 'Image'),
    await rest.term('islandora_models', 'Audio'),
  ];
  const harbours = (await rest.createTerm('subject', 'Harbours')).tid[0].value;
  const described = [
    ['Chart', image, { field_extent: [{ value: '1 sheet' }], field_edtf_date_created: [{ value: '1571~' }] }],
    ['Bell', audio, { field_subject: [{ target_id: harbours }] }],
    [
      'Plan',
      image,
      { field_subject: [{ target_id: harbours }], field_edtf_date_created: [{ value: '1847' }] },
    ],
  ];
  for (const [title, model, fields] of described)
    await rest.createItem(title, { field_model: [{ target_id: model }], ...fields });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Plan' }).first().waitFor();
  await page.getByRole('button', { name: 'Table (Ctrl+2)' }).click();
  await page.getByRole('columnheader', { name: 'Title' }).waitFor();
  return { page, grid: page.getByRole('grid', { name: 'Items' }) };
}

const heads = async (page) => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean);
const titles = async (page) =>
  (await page.locator('[data-nid]').allInnerTexts()).map((text) => text.trim().split('\n')[0].trim());
const widthOf = async (page, name) => (await page.getByRole('columnheader', { name }).boundingBox()).width;

async function addFilter(page, kind) {
  await page.getByTestId('add-filter').click();
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
  return page.getByRole('dialog', { name: kind }).getByRole(kind === 'Date' ? 'textbox' : 'combobox');
}

test('columns are chosen, moved and made wider, by keys and by pointer, and are there the next time', async (t) => {
  const { page, grid } = await withTable(t);
  await page.getByTestId('columns-cell').click();
  await page.getByTestId('add-column').click();
  await page.keyboard.type('Extent');
  await page.keyboard.press('Enter');
  await accessible(page, 'the choice of columns');
  await page.getByTestId('columns').getByRole('listitem', { name: 'Extent' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Escape');
  await grid.getByRole('gridcell', { name: '1 sheet' }).waitFor();
  assert.deepEqual(await heads(page), ['Title', 'Date', 'Model', 'Visibility', 'Extent', 'Changed']);

  const extent = page.getByRole('columnheader', { name: 'Extent' });
  await extent.getByRole('button').click();
  await page.getByRole('button', { name: 'Sort: Extent' }).click();
  await page.getByRole('menuitem', { name: 'Other field…' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('Subject (Topical)');
  await page.getByRole('option', { name: 'Subject (Topical)' }).click();
  await page.getByRole('button', { name: 'Sort: Subject (Topical)' }).waitFor();
  await grid.getByRole('row', { name: /^Bell/ }).and(grid.locator('[aria-rowindex="2"]')).waitFor();
  await extent.getByRole('button').focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Alt+ArrowLeft');
  assert.deepEqual(await heads(page), ['Title', 'Date', 'Extent', 'Model', 'Visibility', 'Changed']);
  const before = await widthOf(page, 'Extent');
  await page.keyboard.press('Shift+ArrowRight');
  assert.ok((await widthOf(page, 'Extent')) > before);

  const [from, to] = [
    await extent.boundingBox(),
    await page.getByRole('columnheader', { name: 'Date' }).boundingBox(),
  ];
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x - 30, from.y + 10, { steps: 3 });
  await page.mouse.move(to.x + 5, to.y + 10, { steps: 3 });
  await page.mouse.up();
  assert.deepEqual(await heads(page), ['Title', 'Extent', 'Date', 'Model', 'Visibility', 'Changed']);
  const wide = await extent.boundingBox();
  await page.mouse.move(wide.x + wide.width, wide.y + 10);
  await page.mouse.down();
  await page.mouse.move(wide.x + wide.width + 64, wide.y + 10, { steps: 4 });
  await page.mouse.up();
  const kept = await widthOf(page, 'Extent');
  assert.ok(Math.abs(kept - wide.width - 64) < 4, `${wide.width} became ${kept}`);

  await page.reload();
  await grid.getByRole('gridcell', { name: '1 sheet' }).waitFor();
  assert.deepEqual(await heads(page), ['Title', 'Extent', 'Date', 'Model', 'Visibility', 'Changed']);
  assert.equal(await widthOf(page, 'Extent'), kept);
  await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click();
  await page
    .getByRole('columnheader', { name: 'Date' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  await accessible(page, 'the table');
});

test('chips narrow the list by what is described', async (t) => {
  const { page } = await withTable(t);
  const subject = await addFilter(page, 'Any term');
  await subject.fill('Harb');
  await page.getByRole('option', { name: /Harbours/ }).click();
  await page.getByText('Any term: Harbours').waitFor();
  await page.getByRole('row', { name: /Chart/ }).waitFor({ state: 'detached' });
  assert.deepEqual((await titles(page)).sort(), ['Bell', 'Plan']);

  const date = await addFilter(page, 'Date');
  await date.fill('1800/1899');
  await page.getByText('between 1800 and 1899').waitFor();
  await accessible(page, 'the filter by date');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Bell/ }).waitFor({ state: 'detached' });
  assert.deepEqual(await titles(page), ['Plan']);

  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await page.getByRole('row', { name: /Bell/ }).waitFor();
  const without = await addFilter(page, 'Is missing');
  await without.fill('Date Created');
  await page.getByRole('option', { name: 'Date Created' }).click();
  await page.getByRole('row', { name: /Chart/ }).waitFor({ state: 'detached' });
  assert.deepEqual(await titles(page), ['Bell']);
  await page.getByRole('button', { name: 'Remove filter Is missing: Date Created' }).click();
  await page.getByRole('row', { name: /Chart/ }).waitFor();
});
