import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, retitle, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const PASSWORD = 'a password of theirs';

/** A published item and a draft of the administrator's, and somebody with these roles who has signed in. */
async function withDraft(t, roles) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const field_model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  await rest.createItem('Isola mostrata', { field_model });
  const draft = await rest.createItem('Isola in bozza', { field_model, status: [{ value: false }] });
  await rest.create('/api/v1/users', { name: 'mira', password: PASSWORD, roles });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, PASSWORD, 'mira');
  await page.getByRole('gridcell', { name: 'Isola mostrata' }).waitFor();
  return { page, rest, baseUrl, path: `/node/${draft.nid[0].value}` };
}

test('an editor reviews the draft of a colleague', async (t) => {
  const { page, rest, path } = await withDraft(t, ['editor']);
  await page.getByRole('treeitem', { name: 'Staff only' }).click();
  await retitle(page, 'Isola in bozza', 'Isola riveduta');
  const { title, status } = await (await rest.send('GET', `${path}?_format=json`)).json();
  assert.deepEqual([title[0].value, status[0].value], ['Isola riveduta', false]);
});

test('somebody who is no editor finds no draft', async (t) => {
  const { page, baseUrl, path } = await withDraft(t, []);
  assert.equal(await page.getByRole('gridcell', { name: 'Isola in bozza' }).count(), 0);
  assert.equal((await page.request.get(`${baseUrl}${path}?_format=json`)).status(), 403);
});
