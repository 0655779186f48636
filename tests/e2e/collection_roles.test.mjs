import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const SECRET = 'first of Mira';

/** Two collections with a hidden item in each, and Mira, who has an account and no role. */
async function withMira(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const { uid } = await rest.create('/api/v1/users', { name: 'mira', password: SECRET });
  const collection = await rest.term('islandora_models', 'Collection');
  const image = await rest.term('islandora_models', 'Image');
  const make = async (title, model, fields) => {
    const made = await rest.createItem(title, { field_model: [{ target_id: model }], ...fields });
    return made.nid[0].value;
  };
  const nids = {};
  for (const [title, item] of [
    ['Maps', 'Harbour chart'],
    ['Letters', 'Harbour letter'],
  ]) {
    nids[title] = await make(title, collection);
    const inside = { field_member_of: [{ target_id: nids[title] }], status: [{ value: false }] };
    nids[item] = await make(item, image, inside);
  }
  const rolesOf = async () =>
    (await (await rest.send('GET', `/api/v1/users/${uid}`)).json()).collection_roles;
  return { baseUrl, password, rest, uid, nids, rolesOf };
}

const give = (rest, uid, nid) =>
  rest.send('PATCH', `/api/v1/users/${uid}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ collection_roles: [{ collection: nid, role: 'editor' }] }),
  });

test('a role in a collection is given in the window, and undone', async (t) => {
  const { baseUrl, password, uid, nids, rolesOf } = await withMira(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/user/${uid}/edit`);
  const form = page.getByTestId('person');
  await form.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Editor' });
  await form.getByRole('combobox', { name: 'Collection' }).fill('Map');
  await page.getByRole('option', { name: /^Maps/ }).click();
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByRole('button', { name: 'Take Editor in “Maps” away' }).waitFor();
  await accessible(page, 'roles in collections');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the account of mira').waitFor();
  const given = [{ collection: nids.Maps, title: 'Maps', role: { name: 'editor', label: 'Editor' } }];
  assert.deepEqual(await rolesOf(), given);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: ').waitFor();
  assert.deepEqual(await rolesOf(), []);
  await page.keyboard.press('Control+y');
  await page.getByText('Redone: ').waitFor();
  assert.deepEqual(await rolesOf(), given);
  await page.goto(`${baseUrl}/admin/people`);
  await page.getByRole('row', { name: /mira.*Editor in “Maps”/ }).waitFor();
});

test('who has a role in a collection sees, changes and adds there, and is offered nothing elsewhere', async (t) => {
  const { baseUrl, rest, uid, nids } = await withMira(t);
  await give(rest, uid, nids.Maps);
  const page = await openBrowser(t);
  const refused = [];
  page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  await signIn(page, baseUrl, SECRET, 'mira');
  await page.getByRole('treeitem', { name: /^Letters/ }).click();
  await page.getByRole('heading', { name: 'Letters' }).waitFor();
  assert.equal(await page.getByTestId('add-menu').count(), 0);
  await page.getByRole('treeitem', { name: /^Maps/ }).click();
  await page.getByRole('gridcell', { name: 'Harbour chart' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Harbour chart of 1888');
  await title.press('Tab');
  await page.getByRole('gridcell', { name: 'Harbour chart of 1888' }).waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New item…' }).click();
  await page.getByTestId('create').getByRole('textbox', { name: 'Title' }).fill('Lighthouses');
  await page.getByRole('button', { name: 'Create item' }).click();
  await page.getByRole('gridcell', { name: 'Lighthouses' }).waitFor();
  assert.deepEqual(refused, []);
});

test('a move says first who gets rights by it and who loses them', async (t) => {
  const { baseUrl, password, rest, uid, nids } = await withMira(t);
  await give(rest, uid, nids.Maps);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('treeitem', { name: /^Maps/ }).click();
  const item = page.getByRole('gridcell', { name: 'Harbour chart' });
  await item.hover();
  await page.mouse.down();
  const box = await page.getByRole('treeitem', { name: /^Letters/ }).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  await page.getByTestId('carried').waitFor();
  await page.mouse.up();
  const dialog = page.getByTestId('move');
  await dialog.getByText('Loses rights to it by the move: mira (Editor)').waitFor();
  await accessible(page, 'what a move changes');
  await dialog.getByRole('button', { name: 'Move item' }).click();
  await page.getByText('Moved “Harbour chart” to Letters').waitFor();
  await page.getByRole('treeitem', { name: /^Letters/ }).click();
  await item.click();
  await page.keyboard.press('Control+m');
  await dialog.getByRole('combobox').fill('Map');
  await page.getByRole('option', { name: /^Maps/ }).click();
  await dialog.getByText('Gets rights to it by the move: mira (Editor)').waitFor();
});
