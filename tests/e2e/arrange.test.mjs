import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A repository with collections and items, each in the collections named, and a page that shows it. */
async function withShelves(t, collections, items) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const models = {
    Collection: await rest.term('islandora_models', 'Collection'),
    Image: await rest.term('islandora_models', 'Image'),
  };
  const nids = {};
  const make = async (model, [title, ...parents]) => {
    const made = await rest.createItem(title, {
      field_model: [{ target_id: models[model] }],
      field_member_of: parents.map((parent) => ({ target_id: nids[parent] })),
    });
    nids[title] = made.nid[0].value;
  };
  for (const one of collections) await make('Collection', one);
  for (const one of items) await make('Image', one);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('treeitem', { name: collections[0][0] }).waitFor();
  const parentsOf = async (title) => {
    const answer = await rest.send('GET', `/node/${nids[title]}?_format=json`);
    if (answer.status === 404) return null;
    const { field_member_of } = await answer.json();
    const names = Object.fromEntries(Object.entries(nids).map(([name, nid]) => [nid, name]));
    return field_member_of.map(({ target_id }) => names[target_id]);
  };
  return { page, rest, nids, parentsOf };
}

const row = (page, name) => page.getByRole('treeitem', { name, exact: true });
const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });

/** Carries one thing over another with the mouse; lets go unless told not to. */
async function carry(page, from, to, { drop = true } = {}) {
  await from.hover();
  await page.mouse.down();
  const box = await to.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  await page.getByTestId('carried').waitFor();
  if (drop) await page.mouse.up();
}

test('items and collections are carried into a collection, and one undo puts all of them back', async (t) => {
  const { page, parentsOf } = await withShelves(
    t,
    [['Atlases'], ['Charts'], ['Coasts', 'Charts']],
    [
      ['Sheet 1', 'Atlases'],
      ['Sheet 2', 'Atlases'],
      ['Sheet 3', 'Atlases'],
    ],
  );
  await row(page, 'Atlases').click();
  await cell(page, 'Sheet 1').click();
  await cell(page, 'Sheet 2').click({ modifiers: ['Control'] });
  await carry(page, cell(page, 'Sheet 2'), row(page, 'Charts'), { drop: false });
  await page.getByTestId('carried').getByText('Move to Charts').waitFor();
  await accessible(page, 'items on their way');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  assert.deepEqual(await parentsOf('Sheet 1'), ['Atlases'], 'Esc puts it back');

  await carry(page, cell(page, 'Sheet 2'), row(page, 'Charts'));
  await page.getByText('Moved 2 items to Charts').waitFor();
  await cell(page, 'Sheet 1').waitFor({ state: 'detached' });
  assert.deepEqual(await parentsOf('Sheet 1'), ['Charts']);
  assert.deepEqual(await parentsOf('Sheet 2'), ['Charts']);
  await page.keyboard.press('Control+z');
  await cell(page, 'Sheet 2').waitFor();
  assert.deepEqual(await parentsOf('Sheet 1'), ['Atlases']);

  await carry(page, row(page, 'Charts'), row(page, 'Atlases'));
  await page.getByText('Moved “Charts” to Atlases').waitFor();
  assert.deepEqual(await parentsOf('Charts'), ['Atlases']);
  // What would be its own ancestor is refused in the server's words.
  await page.getByRole('treeitem', { name: 'Atlases', exact: true, expanded: false }).press('ArrowRight');
  await carry(page, row(page, 'Atlases'), row(page, 'Charts'));
  await page.getByText('0 moved, 1 not.').waitFor();
  assert.deepEqual(await parentsOf('Atlases'), []);
});

test('by keyboard: Ctrl+M moves, or adds, to a collection that is found by its name', async (t) => {
  const { page, parentsOf } = await withShelves(t, [['Atlases'], ['Charts']], [['Sheet 1', 'Atlases']]);
  await row(page, 'Atlases').click();
  await cell(page, 'Sheet 1').click();
  await page.keyboard.press('Control+m');
  const dialog = page.getByTestId('move');
  await dialog.getByRole('combobox', { name: 'To' }).fill('Char');
  await dialog.getByRole('option', { name: /Charts/ }).waitFor();
  await accessible(page, 'the question where to');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Add item' }).click();
  await page.getByText('Moved “Sheet 1” to Charts').waitFor();
  assert.deepEqual(await parentsOf('Sheet 1'), ['Atlases', 'Charts']);
});

test('a collection is made and named in its place, from the menu of the keyboard', async (t) => {
  const { page, parentsOf } = await withShelves(t, [['Atlases']], []);
  await row(page, 'Atlases').click();
  await row(page, 'Atlases').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menu', { name: 'Atlases' }).waitFor();
  await accessible(page, 'the menu of a collection');
  await page.getByRole('menuitem', { name: 'New sub-collection' }).click();
  const name = page.getByRole('textbox', { name: 'New name of New collection' });
  await name.fill('Pocket atlases');
  await name.press('Enter');
  await row(page, 'Pocket atlases').waitFor();
  await row(page, 'Pocket atlases').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const again = page.getByRole('textbox', { name: 'New name of Pocket atlases' });
  await again.fill('Small atlases');
  await again.press('Enter');
  await row(page, 'Small atlases').waitFor();
  assert.deepEqual(await parentsOf('Atlases'), []);
});

test('a deleted collection keeps what is in it, or takes it along; one undo brings all back', async (t) => {
  const { page, parentsOf } = await withShelves(
    t,
    [['Archive'], ['Atlases', 'Archive'], ['Coasts', 'Atlases'], ['Charts']],
    [
      ['Sheet 1', 'Atlases'],
      ['Sheet 2', 'Coasts'],
      ['Sheet 3', 'Coasts', 'Charts'],
    ],
  );
  await row(page, 'Archive').focus();
  await page.keyboard.press('ArrowRight');
  await row(page, 'Atlases').focus();
  await page.keyboard.press('Delete');
  const question = page.getByTestId('erase-collection');
  await question.getByText('Keep 2 items: move them to “Archive”').waitFor();
  await accessible(page, 'the question about a collection');
  await question.getByRole('button', { name: 'Delete collection' }).click();
  await page.getByText('Deleted “Atlases”').waitFor();
  assert.deepEqual(await parentsOf('Atlases'), null);
  assert.deepEqual([await parentsOf('Sheet 1'), await parentsOf('Coasts')], [['Archive'], ['Archive']]);
  await page.keyboard.press('Control+z');
  await row(page, 'Atlases').waitFor();
  await page.getByText('Undone: deleted “Atlases”').waitFor();
  assert.deepEqual([await parentsOf('Sheet 1'), await parentsOf('Coasts')], [['Atlases'], ['Atlases']]);

  await row(page, 'Atlases').focus();
  await page.keyboard.press('Delete');
  await question.getByText('Delete everything: 3 items with their files').click();
  await question.getByRole('button', { name: 'Delete 4 items' }).click();
  await question.waitFor({ state: 'detached' });
  for (const gone of ['Atlases', 'Coasts', 'Sheet 1', 'Sheet 2'])
    assert.equal(await parentsOf(gone), null, gone);
  assert.deepEqual(await parentsOf('Sheet 3'), ['Charts'], 'what is in another collection stays');

  await row(page, 'Trash').click();
  await page.getByRole('row', { name: /Sheet 2/ }).waitFor();
  await accessible(page, 'the trash');
  await page.keyboard.press('Control+z');
  await page.getByText('The trash is empty').waitFor();
  assert.deepEqual(await parentsOf('Sheet 2'), ['Coasts']);
  assert.deepEqual(await parentsOf('Sheet 3'), ['Coasts', 'Charts']);
});

test('the trash gives things back one by one, and forgets them for good when it is emptied', async (t) => {
  const { page, rest, nids, parentsOf } = await withShelves(
    t,
    [['Atlases']],
    [['Sheet 1', 'Atlases'], ['Sheet 2']],
  );
  for (const title of ['Sheet 1', 'Sheet 2']) await rest.send('DELETE', `/node/${nids[title]}?_format=json`);
  await row(page, 'Trash').click();
  await page.getByRole('button', { name: 'Restore Sheet 1' }).click();
  const message = page.getByRole('status').filter({ hasText: 'Restored “Sheet 1” to “Atlases”' });
  await message.waitFor();
  assert.deepEqual(await parentsOf('Sheet 1'), ['Atlases']);
  await message.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await message.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('gridcell', { name: 'Sheet 1' }).waitFor();
  await page.getByRole('treeitem', { name: 'Atlases', selected: true }).waitFor();
  await row(page, 'Trash').click();
  await page.getByRole('button', { name: 'Empty trash…' }).click();
  await page.getByRole('button', { name: 'Empty trash', exact: true }).click();
  await page.getByText('The trash is empty').waitFor();
  const restored = await rest.send('POST', `/api/v1/trash/node/${nids['Sheet 2']}/restore`);
  assert.equal(restored.status, 404);
});
