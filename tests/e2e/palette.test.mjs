import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  return page.getByRole('combobox', { name: 'Go to anything' });
}

test('the palette finds an item by name, identifier, number and the addresses of its page and file', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Digital Document');
  const made = await rest.createItem('Isola di Portovecchio', {
    field_model: [{ target_id: model }],
    field_identifier: [{ value: 'PV-1571-A' }],
  });
  const nid = made.nid[0].value;
  const use = await rest.term('islandora_media_use', 'Original File');
  await rest.upload(nid, 'document', use, 'public://maps/portovecchio.txt', 'text/plain', 'x');
  await rest.createItem('Another sheet', { field_model: [{ target_id: model }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Another sheet' }).waitFor();

  for (const words of [
    'portov isol',
    'PV-1571-A',
    String(nid),
    `${baseUrl}/node/${nid}`,
    `${baseUrl}/sites/default/files/maps/portovecchio.txt`,
    'public://maps/portovecchio.txt',
  ]) {
    const input = await openPalette(page);
    await input.fill(words);
    await page.getByRole('option', { name: /^Isola di Portovecchio/, selected: true }).waitFor();
    if (words === 'portov isol') await accessible(page, 'the palette');
    await page.keyboard.press('Enter');
    await page.getByTestId('palette').waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.pathname === `/node/${nid}`);
    await page.getByRole('gridcell', { name: 'Isola di Portovecchio', selected: true }).waitFor();
    await page.goto(baseUrl);
    await page.getByRole('gridcell', { name: 'Another sheet' }).waitFor();
  }
});

test('the palette goes to places and does things, by keys alone', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);

  await (await openPalette(page)).fill('vocab');
  await page.getByRole('option', { name: /^Vocabularies/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Vocabularies' }).waitFor();

  await (await openPalette(page)).fill('new coll');
  await page.getByRole('option', { name: /^New collection/ }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('option', { name: /^Search all items/, selected: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: /^New collection/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Title' });
  await field.and(page.locator(':focus')).fill('Harbours');
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: 'Harbours' }).waitFor();

  const input = await openPalette(page);
  await input.fill('harb');
  await page.getByRole('option', { name: /^Harbours/, selected: true }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('listbox').getByRole('group').count(), 1);
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('option', { name: /^Search all items/ }).waitFor();
  await input.fill('nothing has this name');
  await page.getByRole('option', { name: /^Search all items/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('No items match “nothing has this name”').waitFor();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.getByTestId('palette').waitFor({ state: 'detached' });
});

test('the palette knows other words for its commands and places', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const input = await openPalette(page);
  for (const [words, label] of [
    ['backup', /^Health/],
    ['theme dark', /^Appearance: dark/],
    ['night', /^Appearance: dark/],
    ['users', /^People/],
    ['taxonomy', /^Vocabularies/],
    ['log out', /^Search all items/],
    ['settings', /^Server/],
  ]) {
    await input.fill(words);
    await page.getByRole('option', { name: label }).waitFor();
  }
});
