import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const PASSWORD = 'a password of theirs';

/** An editor who may not publish, beside the administrator, each in a browser of their own. */
async function withEditor(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/users', { name: 'mira', password: PASSWORD, roles: ['editor'] });
  const open = async (secret, name) => {
    const page = await openBrowser(t);
    await signIn(page, baseUrl, secret, name);
    return page;
  };
  return { baseUrl, rest, mira: await open(PASSWORD, 'mira'), admin: await open(password) };
}

const review = (page) => page.getByTestId('review');
const waiting = (page) => page.getByRole('treeitem', { name: 'Waiting for me' });

test('an item goes from its draft through review to the public, and back by one undo', async (t) => {
  const { baseUrl, rest, mira, admin } = await withEditor(t);
  await mira.keyboard.press('Control+n');
  const dialog = mira.getByTestId('create');
  await dialog.getByLabel('Title').fill('Harbour chart');
  await dialog.getByLabel('Public').uncheck();
  await dialog.getByRole('button', { name: 'Create item' }).click();
  await review(mira).getByText('Draft').waitFor();
  await review(mira).getByRole('button', { name: 'Submit for review' }).click();
  await review(mira).getByText('In review').waitFor();
  await accessible(mira, 'an item in review');
  assert.equal(await waiting(mira).count(), 0);

  await waiting(admin).click();
  await admin.getByRole('gridcell', { name: /^Harbour chart/ }).click();
  await review(admin).getByRole('button', { name: 'Assign…' }).click();
  const assign = admin.getByTestId('assign');
  await assign.getByTestId('assignee').click();
  await admin.getByRole('option', { name: 'mira' }).click();
  await assign.getByLabel('Note').fill('Which harbour?');
  await accessible(admin, 'the dialog that assigns');
  await assign.getByRole('button', { name: 'Assign', exact: true }).click();
  await waiting(mira).waitFor();
  await review(mira).getByText('Which harbour?').waitFor();

  await admin.goto(`${baseUrl}/?view=unpublished`);
  await admin.getByRole('gridcell', { name: /^Harbour chart/ }).click({ button: 'right' });
  await admin.getByRole('menuitem', { name: 'Make public' }).click();
  await admin.getByText('“Harbour chart” is public').waitFor();
  await review(mira).waitFor({ state: 'detached' });
  await admin.getByRole('button', { name: 'Undo' }).click();
  await review(mira).getByText('Which harbour?').waitFor();
  const { items } = await (await rest.send('GET', '/api/v1/items')).json();
  assert.deepEqual([items[0].in_review, items[0].assignee.name], [true, 'mira']);
});

test('steps are taken with a selection', async (t) => {
  const { baseUrl, rest, admin } = await withEditor(t);
  const model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  for (const title of ['One', 'Two'])
    await rest.createItem(title, { field_model: model, moderation_state: [{ value: 'draft' }] });
  await admin.goto(`${baseUrl}/?view=unpublished`);
  await admin.getByRole('gridcell', { name: /^One/ }).click();
  await admin.keyboard.press('Control+a');
  await admin.getByRole('gridcell', { name: /^One/ }).click({ button: 'right' });
  await admin.getByRole('menuitem', { name: 'Submit for review' }).click();
  await admin.getByText('2 items submitted for review').waitFor();
  await waiting(admin).locator('[data-count="2"]').waitFor({ state: 'attached' });
  await admin.getByRole('button', { name: 'Undo' }).click();
  await waiting(admin).waitFor({ state: 'detached' });
});
