import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A person who reads German, at the repository. */
async function inGerman(t, baseUrl, password) {
  const page = await openBrowser(t, { locale: 'de-DE' });
  await page.goto(`${baseUrl}/user/login`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByTestId('session-menu').waitFor();
  return page;
}

test('the German window names fields, models, uses, keys and refusals in German', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const person = (await rest.createTerm('person', 'Mira Salvi')).tid[0].value;
  const { nid } = await rest.createItem('Isola', {
    field_model: [{ target_id: await rest.term('islandora_models', 'Image') }],
    field_resource_type: [{ target_id: await rest.term('resource_types', 'Map') }],
    field_linked_agent: [{ target_id: person, rel_type: 'relators:ctg' }],
  });
  const page = await inGerman(t, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid[0].value}`);
  const inspector = page.getByRole('complementary', { name: 'Inspektor' });
  for (const words of ['Beteiligte', 'Entstanden', 'Kartograf'])
    await inspector.getByText(words, { exact: true }).first().waitFor();
  const model = await inspector.getByRole('combobox', { name: /^Modell/ }).elementHandle();
  await page.waitForFunction((field) => field.value === 'Bild', model);

  await page.getByRole('gridcell', { name: 'Isola', exact: true }).first().click({ button: 'right' });
  const menu = page.getByRole('menu');
  await menu.getByText('Entf', { exact: true }).waitFor();
  await menu.getByText('Strg+D', { exact: true }).waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${baseUrl}/admin/people?new`);
  await page.getByLabel('Name').fill('mira');
  await page.getByLabel('Passwort', { exact: true }).fill('1234567');
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByText('Das ist zu kurz.').waitFor();
  await page.getByLabel('Passwort', { exact: true }).fill('12345678');
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByText('Konto von mira angelegt').waitFor();
});

test('a name that people have changed stays, and German words find terms of the program', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const image = await rest.term('islandora_models', 'Image');
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ vid: [{ target_id: 'islandora_models' }], name: [{ value: 'Plate' }] });
  const renamed = await rest.send('PATCH', `/taxonomy/term/${image}?_format=json`, { headers, body });
  assert.equal(renamed.status, 200);
  const { nid } = await rest.createItem('Isola', { field_model: [{ target_id: image }] });
  const page = await inGerman(t, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid[0].value}`);
  const inspector = page.getByRole('complementary', { name: 'Inspektor' });
  const model = inspector.getByRole('combobox', { name: /^Modell/ });
  const shows = async (name) =>
    page.waitForFunction(([field, name]) => field.value === name, [await model.elementHandle(), name]);
  await shows('Plate');
  await model.fill('Heft');
  await page.getByRole('option', { name: /^Heft/ }).click();
  await shows('Heft');
});

test('what is made in the window is for staff only, unless its collection says otherwise', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const collection = { field_model: [{ target_id: await rest.term('islandora_models', 'Collection') }] };
  await rest.createItem('Plain', collection);
  const open = (await rest.createItem('Open', collection)).nid[0].value;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({
    type: 'islandora_object',
    name: null,
    values: { status: [{ value: true }] },
  });
  const put = await rest.send('PUT', `/api/v1/collections/${open}/templates`, { headers, body });
  assert.equal(put.status, 200, await put.text());
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const dialog = page.getByRole('dialog');
  for (const [place, isPublic] of [
    ['Plain', false],
    ['Open', true],
  ]) {
    for (const kind of ['New item…', 'New collection…']) {
      await page.getByRole('treeitem', { name: place }).click();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('menuitem', { name: kind }).click();
      await dialog.getByRole('checkbox', { name: 'Public', checked: isPublic }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  }
  await page.goto(`${baseUrl}/admin/watched`);
  await page.getByRole('button', { name: 'Watch a folder…' }).first().click();
  const visibility = dialog.getByLabel('Visibility');
  assert.equal(await visibility.inputValue(), 'false');
  await dialog.getByTestId('rule-collection').fill('Open');
  await page.getByRole('option', { name: /^Open/ }).click();
  await page.waitForFunction((field) => field.value === 'true', await visibility.elementHandle());
});
