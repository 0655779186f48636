import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('an embargo is set in the form of an item, and taken back', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const image = await rest.term('islandora_models', 'Image');
  const fields = { field_model: [{ target_id: image }], status: [{ value: false }] };
  const made = await rest.createItem('Letters under embargo', fields);
  const path = `/node/${made.nid[0].value}?_format=json`;
  const times = async () => {
    const item = await (await rest.send('GET', path)).json();
    return [item.publish_on?.[0].value, item.unpublish_on?.[0].value].map((time) => time && Date.parse(time));
  };

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${made.nid[0].value}?view=all`);
  await page.getByTestId('add-field').click();
  await page.getByRole('combobox', { name: /^Add field/ }).fill('Public from');
  await page.keyboard.press('Enter');
  const from = page.getByTestId('field-publish_on');
  await from.fill('2999-03-04T05:06');
  await from.press('Enter');
  await page.getByText(/^Saved \d/).waitFor();
  await accessible(page, 'an item with an embargo');
  assert.deepEqual(await times(), [new Date(2999, 2, 4, 5, 6).getTime(), undefined]);
  await page.getByRole('gridcell', { name: 'Letters under embargo' }).click();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: ').waitFor();
  assert.deepEqual(await times(), [undefined, undefined]);
});
