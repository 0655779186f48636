import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { makeFolder, PROGRAM, removeFolder } from '../support/program.mjs';
import { dropFiles } from '../support/drop.mjs';
import { run } from '../support/process.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const SECRET = 'shoals and rocks';
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const OWN = [
  'access content',
  'view media',
  'create image media',
  ...['create', 'edit own', 'delete own'].map(ofItems),
];

function ofItems(act) {
  return `${act} islandora_object content`;
}

/** Two items of the administrator, an account that may only read, and one that keeps items of its own. */
async function withAccounts(t) {
  const server = await serve(t);
  const on = ['--data', server.data];
  const permissions = OWN.flatMap((permission) => ['--permission', permission]);
  await run(PROGRAM, ['role', 'add', 'contributor', ...permissions, ...on]);
  const add = (name, ...more) =>
    run(PROGRAM, ['user', 'add', name, ...more, '--password-stdin', ...on], { input: `${SECRET}\n` });
  await add('rita');
  await add('olaf', '--role', 'contributor');
  const rest = new Rest(server.baseUrl, server.password);
  const model = await rest.term('islandora_models', 'Image');
  for (const title of ['Caprera', 'Montalbo'])
    await rest.createItem(title, { field_model: [{ target_id: model }] });
  return { ...server, rest };
}

/** Opens the desk for somebody; whatever the server refuses from then on is kept. */
async function deskOf(t, { baseUrl }, name) {
  const page = await openBrowser(t);
  const refused = [];
  page.on('response', (answer) => {
    if (answer.status() === 403)
      refused.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`);
  });
  await signIn(page, baseUrl, SECRET, name);
  await page.getByRole('gridcell', { name: 'Caprera' }).waitFor();
  return { page, refused, inspector: page.getByRole('complementary', { name: 'Inspector' }) };
}

const offered = (page, ...names) =>
  Promise.all(
    names.map((name) => page.getByRole('button', { name }).or(page.getByRole('menuitem', { name })).count()),
  );

test('who may only read is offered nothing that would be refused', async (t) => {
  const server = await withAccounts(t);
  const { page, refused, inspector } = await deskOf(t, server, 'rita');
  await page.getByRole('gridcell', { name: 'Caprera' }).click();
  await inspector.getByText('You can view this item, but not change it.').waitFor();
  assert.equal(await inspector.getByRole('textbox', { name: 'Title' }).getAttribute('readonly'), '');
  await accessible(page, 'an item that may only be read');
  assert.deepEqual(await offered(page, 'Add', 'New collection', /^Delete/, /^Undo/), [0, 0, 0, 0]);
  for (const name of ['Watched folders', 'Health', 'Server']) {
    for (const role of ['link', 'button', 'treeitem']) {
      assert.equal(await page.getByRole(role, { name }).count(), 0, name);
    }
  }

  await page.keyboard.press('Delete');
  await page.getByText('You may not delete this.').waitFor();
  await page.getByRole('gridcell', { name: 'Montalbo' }).click({ modifiers: ['Shift'] });
  await inspector.getByText('2 items selected').waitFor();
  assert.deepEqual(await offered(page, /^Edit 2 items/, /^Delete/), [0, 0]);
  await page.keyboard.press('Control+e');
  await page.getByText('You may not change these items.').waitFor();
  await page.keyboard.press('Control+m');
  assert.equal(await page.getByRole('dialog').count(), 0);

  await page.getByRole('gridcell', { name: 'Montalbo' }).click();
  await inspector.getByText('You can view this item, but not change it.').waitFor();
  await page.getByRole('gridcell', { name: 'Montalbo' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open' }).waitFor();
  assert.deepEqual(await offered(page, 'Describe', 'Move to…', 'Duplicate', /^Delete/), [0, 0, 0, 0]);
  await page.keyboard.press('Escape');
  await page.getByRole('gridcell', { name: 'Montalbo' }).click();
  await page.getByRole('tab', { name: 'Files' }).click();
  assert.deepEqual(await offered(page, /^Add file/, /^Replace/), [0, 0]);
  assert.deepEqual(refused, []);
});

test('who may change what is their own makes, describes and deletes it, and leaves the rest alone', async (t) => {
  const server = await withAccounts(t);
  const { page, refused, inspector } = await deskOf(t, server, 'olaf');
  await page.getByRole('gridcell', { name: 'Caprera' }).click();
  await inspector.getByText('You can view this item, but not change it.').waitFor();
  await page.keyboard.press('Delete');
  await page.getByText('You may not delete this.').waitFor();

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New item…' }).click();
  await page.getByTestId('create').getByRole('textbox', { name: 'Title' }).fill('Le Sorelle');
  await page.getByRole('button', { name: 'Create item' }).click();
  await page.getByRole('gridcell', { name: 'Le Sorelle' }).click();
  const title = inspector.getByRole('textbox', { name: 'Title' });
  await page.waitForFunction(
    (field) => field.value === 'Le Sorelle' && !field.readOnly,
    await title.elementHandle(),
  );
  await title.fill('Le Sorelle, from the south');
  await title.press('Tab');
  const card = page.getByRole('gridcell', { name: 'Le Sorelle, from the south' });
  await card.click();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete item', exact: true }).click();
  await card.waitFor({ state: 'detached' });
  assert.deepEqual(refused, []);
  const { total } = await (await server.rest.send('GET', '/api/v1/items')).json();
  assert.equal(total, 2);
});

test('what is their own is moved, deleted and given files from its menu, by keys and by a drop; what is not is not', async (t) => {
  const server = await withAccounts(t);
  const home = await makeFolder();
  t.after(() => removeFolder(home));
  const scan = join(home, 'scan.png');
  await writeFile(scan, Buffer.from(ONE_PIXEL, 'base64'));
  const model = await server.rest.term('islandora_models', 'Image');
  const olaf = new Rest(server.baseUrl, SECRET, 'olaf');
  await olaf.createItem('Le Sorelle', { field_model: [{ target_id: model }] });
  const { page, refused } = await deskOf(t, server, 'olaf');
  const card = (name) => page.getByRole('gridcell', { name });
  const menu = async (name) => {
    await card(name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open' }).waitFor();
    const found = await offered(page, 'Describe', 'Move to…', /^Delete/);
    await page.keyboard.press('Escape');
    return found;
  };
  assert.deepEqual(await menu('Caprera'), [0, 0, 0]);
  assert.deepEqual(await menu('Le Sorelle'), [1, 1, 1]);

  await card('Caprera').click();
  await page.keyboard.press('Control+m');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await card('Le Sorelle').click({ modifiers: ['Control'] });
  await page.getByText('2 items selected').waitFor();
  await page.keyboard.press('Delete');
  await page.getByText('You may not delete this.').waitFor();
  await card('Le Sorelle').click();
  await page.keyboard.press('Control+m');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');

  await dropFiles(page, card('Le Sorelle'), [scan], { alt: true });
  await page.getByText('Add 1 file to Le Sorelle').waitFor();
  await page.getByRole('button', { name: 'Add 1 file' }).click();
  await page.getByTestId('transfers-cell').getByText('Transfers: 1 of 1').waitFor();
  // Where it may not join an item it becomes a new one beside it.
  await dropFiles(page, card('Caprera'), [scan], { alt: true });
  await page.getByTestId('drop-sheet').getByText('1 new item').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(refused, []);
});
