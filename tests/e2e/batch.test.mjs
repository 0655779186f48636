import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const read = async (rest, nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json();
const extents = async (rest, nids) =>
  Promise.all(nids.map(async (nid) => (await read(rest, nid)).field_extent.map(({ value }) => value)));

/** A repository with some items, all of them chosen in a page that is ready to change a field of them. */
async function withChosen(t, count, fieldsOf = () => ({})) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const nids = [];
  for (let index = 0; index < count; index += 1) {
    const fields = { field_model: [{ target_id: model }], ...fieldsOf(index) };
    nids.push((await rest.createItem(`Sheet ${index + 1}`, fields)).nid[0].value);
  }
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page
    .getByRole('gridcell', { name: /^Sheet/ })
    .first()
    .click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+e');
  await page.getByText(/\d will change/).waitFor();
  return { page, rest, nids, inspector: page.getByRole('complementary', { name: 'Inspector' }) };
}

async function chooseField(page, name) {
  await page.getByTestId('batch-field').click();
  await page.getByRole('combobox', { name: /^Field/ }).fill(name);
  await page.keyboard.press('Enter');
}

/** Somebody else changes items at the very moment at which the page is about to. */
async function changeFirst(page, rest, changes) {
  const change = async (route) => {
    for (const [nid, fields] of changes) {
      const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], ...fields });
      const headers = { 'Content-Type': 'application/json' };
      assert.equal((await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body })).status, 200);
    }
    return route.continue();
  };
  await page.route('**/api/v1/batches', change, { times: 1 });
}

test('a term is added to many items, seen before it happens and undone as one', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 60);
  const value = inspector.getByRole('combobox', { name: 'Value: Subject (Topical)' });
  await value.fill('Harbours');
  await page.getByRole('option', { name: 'New term “Harbours” in Subject' }).click();
  await inspector.getByText('60 will change').waitFor();
  await inspector.locator('li', { hasText: 'Sheet 60' }).getByText('+ Harbours').waitFor();
  await accessible(page, 'the preview of a change of many');
  await inspector.getByRole('button', { name: 'Change 60 items' }).click();
  await page.getByText('Changed Subject (Topical) of 60 items').waitFor();
  const harbours = await rest.term('subject', 'Harbours');
  for (const nid of nids) {
    const { field_subject } = await read(rest, nid);
    assert.deepEqual(
      field_subject.map(({ target_id }) => target_id),
      [harbours],
    );
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone: Subject (Topical) of 60 items').waitFor();
  for (const nid of nids) assert.deepEqual((await read(rest, nid)).field_subject, []);
});

test('words are replaced, and what has none of them stays as it is', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 4, (index) => ({
    field_extent: index === 3 ? [] : [{ value: `${index + 1} mapp` }],
  }));
  await chooseField(page, 'Extent');
  await inspector.getByRole('button', { name: 'Find and replace' }).click();
  await inspector.getByRole('textbox', { name: 'Find: Extent' }).fill('mapp');
  await inspector.getByRole('textbox', { name: 'Replace with: Extent' }).fill('map');
  await inspector.getByText('3 will change').waitFor();
  await inspector
    .locator('li', { hasText: 'Sheet 4' })
    .getByText('No change: does not have this value', { exact: false })
    .waitFor();
  await inspector.getByRole('button', { name: 'Change 3 items' }).click();
  await page.getByText('Changed Extent of 3 items').waitFor();
  assert.deepEqual(await extents(rest, nids), [['1 map'], ['2 map'], ['3 map'], []]);
});

test('nobody’s edit is lost, and what is refused says why', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 3);
  await chooseField(page, 'Extent');
  await inspector.getByRole('textbox', { name: 'Value: Extent' }).fill('1 map');
  const [first, second, third] = nids;
  await inspector.getByText('3 will change').waitFor();
  await changeFirst(page, rest, [
    [first, { field_rights: [{ value: 'Out of copyright' }] }],
    [second, { field_extent: [{ value: '2 maps' }] }],
  ]);
  await inspector.getByRole('button', { name: 'Change 3 items' }).click();
  await inspector.getByText('2 of 3 items changed').waitFor();
  await inspector.getByText('Somebody else has changed this meanwhile', { exact: false }).waitFor();
  await accessible(page, 'the result of a change of many');
  assert.deepEqual(await extents(rest, nids), [['1 map'], ['2 maps'], ['1 map']]);
  assert.equal((await read(rest, first)).field_rights[0].value, 'Out of copyright');

  await inspector.getByRole('button', { name: 'Edit again' }).click();
  await inspector.getByText('1 will change').waitFor();
  await chooseField(page, 'Member of');
  await inspector.getByRole('combobox', { name: 'Value: Member of' }).fill('Sheet 3');
  await page.getByRole('option', { name: 'Sheet 3' }).click();
  await inspector.getByText('2 will change').waitFor();
  await inspector.getByText('1 not valid').waitFor();
  await inspector
    .locator('li', { hasText: 'Sheet 3' })
    .getByText('cannot be a member of itself', { exact: false })
    .waitFor();
  await inspector.getByRole('button', { name: 'Change 2 items' }).click();
  await page.getByText('Changed Member of of 2 items').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone: Member of of 2 items').waitFor();
  assert.deepEqual((await read(rest, third)).field_member_of, []);
});

test('text is found and replaced in all fields of hundreds of items, and one undo takes it back', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 450, () => ({
    field_extent: [{ value: '1 mapp' }],
  }));
  await chooseField(page, 'All text fields');
  await inspector.getByRole('textbox', { name: /^Find/ }).fill('MAPP');
  await inspector.getByText('450 stay as they are').waitFor();
  await inspector.getByRole('checkbox', { name: 'Match upper and lower case' }).uncheck();
  await inspector.getByRole('textbox', { name: /^Replace with/ }).fill('map');
  await inspector.getByRole('button', { name: 'Change 450 items' }).click();
  await page.getByText('Replaced text in 450 items').waitFor();
  assert.deepEqual([...new Set((await extents(rest, nids)).flat())], ['1 map']);

  await page.goto(new URL('/admin/activity', page.url()).href);
  await page.getByRole('button', { name: '450 items: All text fields' }).click();
  const dialog = page.getByTestId('batch-items');
  await dialog.getByRole('link', { name: 'Sheet 450', exact: true }).waitFor();
  await accessible(page, 'the items of a change of many');
  await dialog.getByRole('button', { name: 'Undo 450' }).click();
  await page.getByText('450 items: All text fields (undone)').waitFor();
  assert.deepEqual([...new Set((await extents(rest, nids)).flat())], ['1 mapp']);
});

test('a change of many is stopped, and what was done is undone', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 450);
  await chooseField(page, 'Extent');
  await inspector.getByRole('textbox', { name: 'Value: Extent' }).fill('1 map');
  await inspector.getByText('450 will change').waitFor();
  // The answer that the change has begun comes when it is stopped already.
  await page.route('**/api/v1/batches', async (route) => {
    const answer = await route.fetch();
    const { id } = await answer.json();
    await rest.send('POST', `/api/v1/batches/${id}/cancel`);
    await route.fulfill({ response: answer });
  });
  await inspector.getByRole('button', { name: 'Change 450 items' }).click();
  await inspector.getByText(/\d+ of 450 items changed/).waitFor();
  await inspector.getByText(/items were not tried/).waitFor();
  const filled = (await extents(rest, nids)).flat().length;
  await inspector.getByText(`${filled} of 450 items changed`).waitFor();
  if (filled === 0) return;
  await inspector.getByRole('button', { name: `Undo ${filled}` }).click();
  await page.getByText(`Undone: Extent of ${filled} items`).waitFor();
  assert.deepEqual((await extents(rest, nids)).flat(), []);
});

test('texts of a whole list are replaced by an expression, and one undo takes it back', async (t) => {
  const { page, rest, nids, inspector } = await withChosen(t, 3, (index) => ({
    field_extent: [{ value: `${index + 1} x 2 cm` }],
  }));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+h');
  await inspector.getByRole('button', { name: 'Regular expression' }).click();
  await inspector.getByTestId('batch-find').getByRole('textbox').fill('(\\d) x (');
  await inspector
    .getByRole('textbox', { name: /^Replace with/ })
    .first()
    .fill('$2 by $1');
  await inspector.getByText(/The regular expression cannot be read: unclosed group/).waitFor();
  await inspector.getByTestId('batch-find').getByRole('textbox').fill('(\\d) x (\\d)');
  await inspector.getByText('3 will change').waitFor();
  await accessible(page, 'find and replace by an expression');
  await inspector.getByRole('button', { name: 'Change 3 items' }).click();
  await page.getByText('Replaced text in 3 items').waitFor();
  assert.deepEqual(await extents(rest, nids), [['2 by 1 cm'], ['2 by 2 cm'], ['2 by 3 cm']]);
  await page.keyboard.press('Control+z');
  await page
    .getByText(/^Undone|undone/i)
    .first()
    .waitFor();
  assert.deepEqual(await extents(rest, nids), [['1 x 2 cm'], ['2 x 2 cm'], ['3 x 2 cm']]);
});
