import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const RIGHTS = [{ value: 'Free to use', format: 'plain_text' }];

/** A described negative, and three that are not, one of which has an extent; in a page. */
async function withNegatives(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const field_model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  const make = async (title, fields = {}) =>
    (await rest.createItem(title, { field_model, ...fields })).nid[0].value;
  const described = { field_extent: [{ value: '13 × 18 cm' }], field_rights: RIGHTS };
  await make('Described', described);
  const nids = [
    await make('Negative 1', { field_extent: [{ value: '9 × 12 cm' }] }),
    await make('Negative 2'),
    await make('Negative 3'),
  ];
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const select = (title, options) => page.getByRole('gridcell', { name: title, exact: true }).click(options);
  const read = async (nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json();
  const extents = async () => {
    const nodes = await Promise.all(nids.map(read));
    return nodes.map(({ field_extent }) => field_extent[0]?.value ?? null);
  };
  const copy = async () => {
    await select('Described');
    await page.keyboard.press('Control+Shift+C');
    await page.getByText('Copied the description of “Described”').waitFor();
  };
  return { page, nids, read, select, extents, copy, sheet: page.getByTestId('description') };
}

test('a description is pasted onto several items, where fields are empty, and undone as one', async (t) => {
  const { page, nids, read, select, extents, copy, sheet } = await withNegatives(t);
  await copy();
  await select('Negative 1');
  for (const title of ['Negative 2', 'Negative 3']) await select(title, { modifiers: ['Control'] });
  await page.keyboard.press('Control+Shift+V');
  await sheet.getByText('3 items will change').waitFor();
  assert.ok(!(await sheet.getByRole('checkbox', { name: 'Title' }).isChecked()));
  await sheet.locator('li', { hasText: 'Extent' }).getByText('changes 2 of 3').waitFor();
  await accessible(page, 'pasting a description');
  await sheet.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Applied to 3 items').waitFor();
  assert.deepEqual(await extents(), ['9 × 12 cm', '13 × 18 cm', '13 × 18 cm']);
  for (const nid of nids) assert.equal((await read(nid)).field_rights[0].value, 'Free to use');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone:', { exact: false }).waitFor();
  assert.deepEqual(await extents(), ['9 × 12 cm', null, null]);
});

test('a pasted description replaces values on demand, and only in the chosen fields', async (t) => {
  const { page, nids, read, select, extents, copy, sheet } = await withNegatives(t);
  await copy();
  await select('Negative 1');
  await page.keyboard.press('Control+Shift+V');
  await sheet.getByText('1 item will change').waitFor();
  await sheet.getByRole('radio', { name: 'Replace values' }).check();
  await sheet.getByText('instead of').first().waitFor();
  await sheet.getByRole('checkbox', { name: 'Rights' }).uncheck();
  await sheet.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Applied to 1 item').waitFor();
  assert.deepEqual(await extents(), ['13 × 18 cm', null, null]);
  assert.deepEqual((await read(nids[0])).field_rights, []);
});
