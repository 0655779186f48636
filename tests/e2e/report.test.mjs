import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('a report says what the repository and a collection hold, is saved as a table, and printed alone', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const of = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const collection = await rest.createItem('Maps', { field_model: await of('Collection') });
  const inside = { field_member_of: [{ target_id: collection.nid[0].value }] };
  const image = { field_model: await of('Image') };
  await rest.createItem('Atoll', { ...image, ...inside, field_extent: [{ value: '1 sheet' }] });
  await rest.createItem('Bay', { ...image, ...inside });
  await rest.createItem('Cape', image);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const totals = page.getByTestId('totals');
  await totals.getByText('3 of 3').waitFor();
  const completeness = page.getByRole('table', { name: 'Completeness' });
  await completeness.getByRole('row', { name: 'Extent 1 33%' }).waitFor();
  await accessible(page, 'the report');

  await page.getByRole('button', { name: 'Fields…' }).click();
  await page.getByRole('checkbox', { name: 'Genre' }).check();
  await accessible(page, 'the fields of the report');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await completeness.getByRole('row', { name: 'Genre 0 0%' }).waitFor();
  assert.equal(await completeness.getByRole('row').count(), 1);

  await page.getByRole('treeitem', { name: 'Maps' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await page.getByRole('heading', { name: 'Report: Maps' }).waitFor();
  await totals.getByText('2 of 2').waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV…' }).click();
  const table = await readFile(await (await saved).path(), 'utf8');
  assert.match(table, /^total,,,2,0,0\r$/m);
  assert.match(table, /^field,field_extent,Extent,1,,\r$/m);

  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Print' }).count(), 0);
  await page.getByRole('heading', { name: 'Report: Maps' }).waitFor();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Whole repository' }).click();
  await totals.getByText('3 of 3').waitFor();
});
