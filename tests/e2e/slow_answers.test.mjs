import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, retitle, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A repository with one item, and a page on it. */
async function withItem(t, more = {}) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const make = (title, fields) => rest.createItem(title, { field_model: [{ target_id: model }], ...fields });
  const [{ value: nid }] = (await make('Isola nova', typeof more === 'function' ? await more(rest) : more))
    .nid;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  return { baseUrl, page, rest, nid, make };
}

/** Holds the answers to such requests, which are older than what happens until they are let go. */
async function hold(page, pattern, method = 'GET') {
  const held = [];
  let open = false;
  await page.route(pattern, async (route) => {
    if (open || route.request().method() !== method) return route.continue();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  return {
    begun: () => until('an answer is held', () => held.length > 0),
    async letGo() {
      open = true;
      for (const answer of held.splice(0)) await answer().catch(() => {});
    },
  };
}

/** What the page does when it has heard of a change. */
const heard = (page) => page.waitForRequest('**/api/v1/counts');

async function change(rest, path, fields) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await rest.send('PATCH', `${path}?_format=json`, { headers, body: JSON.stringify(fields) });
  assert.equal(answer.status, 200, await answer.text());
}

test('a list whose first answer is older than what has been made since shows that too', async (t) => {
  const { page, make } = await withItem(t);
  await page.getByRole('gridcell', { name: 'Isola nova' }).waitFor();
  const lists = await hold(page, /\/api\/v1\/items\?.*unpublished/);
  await page.getByRole('treeitem', { name: 'Staff only' }).click();
  await lists.begun();
  const hearing = heard(page);
  await make('Isola nascosta', { status: [{ value: false }] });
  await hearing;
  await lists.letGo();
  await page.getByRole('gridcell', { name: 'Isola nascosta' }).waitFor();
});

test('the tree shows a collection that was made while it was being read', async (t) => {
  const { page, rest } = await withItem(t);
  const trees = await hold(page, '**/api/v1/collections?*');
  await page.reload();
  await trees.begun();
  const hearing = heard(page);
  const model = await rest.term('islandora_models', 'Collection');
  await rest.createItem('Maps', { field_model: [{ target_id: model }] });
  await hearing;
  await trees.letGo();
  await page.getByRole('treeitem', { name: 'Maps' }).waitFor();
});

test('a name that was changed while it was being asked for is shown as it is now', async (t) => {
  const subject = async (rest) => {
    const { tid } = await rest.createTerm('subject', 'Ilands');
    return { field_subject: [{ target_id: tid[0].value }] };
  };
  const { page, rest } = await withItem(t, subject);
  const tid = await rest.term('subject', 'Ilands');
  const names = await hold(page, '**/api/v1/labels?*taxonomy_term*');
  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  await names.begun();
  const hearing = heard(page);
  await change(rest, `/taxonomy/term/${tid}`, {
    vid: [{ target_id: 'subject' }],
    name: [{ value: 'Islands' }],
  });
  await hearing;
  await names.letGo();
  const field = page.getByTestId('field-field_subject').first();
  await until('the new name stands there', async () => (await field.inputValue()) === 'Islands');
});

test('what somebody else changes before one’s own save is answered is shown', async (t) => {
  const { page, rest, nid } = await withItem(t);
  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  const field = (name) =>
    page.getByRole('complementary', { name: 'Inspector' }).getByRole('textbox', { name, exact: true });
  await field('Extent').waitFor();
  const saves = await hold(page, `**/node/${nid}?*`, 'PATCH');
  await field('Extent').fill('1 map');
  await field('Extent').blur();
  await saves.begun();
  const hearing = heard(page);
  await change(rest, `/node/${nid}`, {
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: 'Isola nuova' }],
  });
  await hearing;
  await saves.letGo();
  await until('their title stands there', async () => (await field('Title').inputValue()) === 'Isola nuova');
  assert.equal(await field('Extent').inputValue(), '1 map');
});

test('undo that is pressed before a deletion is answered takes back the deletion', async (t) => {
  const { page, rest, nid } = await withItem(t);
  await retitle(page, 'Isola nova', 'Isola nuova');
  await page.getByRole('gridcell', { name: 'Isola nuova' }).click();
  const deletions = await hold(page, `**/api/v1/items/${nid}`, 'DELETE');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete item', exact: true }).click();
  await deletions.begun();
  await page.keyboard.press('Control+z');
  await deletions.letGo();
  await page.getByText('Undone: deleted “Isola nuova”').waitFor();
  const node = await (await rest.send('GET', `/node/${nid}?_format=json`)).json();
  assert.equal(node.title[0].value, 'Isola nuova');
});

test('Enter takes what the words stand for, and not what was found for fewer of them', async (t) => {
  const { page, rest, nid } = await withItem(t);
  for (const name of ['Islands', 'Isthmus']) await rest.createTerm('subject', name);
  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  const subject = page.getByTestId('field-field_subject').first();
  await subject.waitFor();
  await subject.fill('Is');
  await page.getByRole('option', { name: /^Islands/ }).waitFor();
  const found = await hold(page, '**/api/v1/terms?*Isth*');
  await subject.press('End');
  await page.keyboard.type('th');
  await page.keyboard.press('Enter');
  await found.begun();
  await found.letGo();
  const tid = await rest.term('subject', 'Isthmus');
  await until('the term is kept', async () => {
    const node = await (await rest.send('GET', `/node/${nid}?_format=json`)).json();
    return node.field_subject[0]?.target_id === tid;
  });
});
