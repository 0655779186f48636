import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** An item with these values, shown in the inspector. */
async function withItem(t, values = {}) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const subject = (await rest.createTerm('subject', 'Harbours')).tid[0].value;
  const other = (await rest.createTerm('subject', 'Lighthouses')).tid[0].value;
  const person = (await rest.createTerm('person', 'Smith, Ann')).tid[0].value;
  const item = await rest.createItem('Quay', {
    field_model: [{ target_id: model }],
    field_subject: [{ target_id: subject }],
    ...values,
  });
  const nid = item.nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid}?view=all`);
  const field = (name) => page.locator(`#pane-inspector [data-field="${name}"]`);
  const read = async () => (await rest.send('GET', `/node/${nid}?_format=json`)).json();
  return { baseUrl, rest, page, model, field, read, subject, other, person };
}

test('another value of a field is typed where the button was pressed', async (t) => {
  const { page, field, read, subject, other } = await withItem(t, {
    field_edtf_date_created: [{ value: '1890' }],
  });
  const subjects = field('field_subject');
  await subjects.hover();
  await subjects.getByRole('button', { name: 'Add subject' }).click();
  await page.keyboard.type('Lighthouses');
  await page.getByRole('option', { name: /^Lighthouses/ }).waitFor();
  await page.keyboard.press('Enter');
  await until('the subject is saved', async () => {
    const { field_subject: kept } = await read();
    return kept.length === 2 && kept[0].target_id === subject && kept[1].target_id === other;
  });
  const dates = field('field_edtf_date_created');
  await dates.hover();
  await dates.getByRole('button', { name: /^Add/ }).click();
  await page.keyboard.type('1895');
  await page.keyboard.press('Enter');
  await until('the date is saved', async () => {
    const { field_edtf_date_created: kept } = await read();
    return kept.map(({ value }) => value).join() === '1890,1895';
  });
});

test('the role of a contributor is chosen before the name', async (t) => {
  const { page, field, read, person } = await withItem(t);
  const agents = field('field_linked_agent');
  const choose = async (button, role) => {
    await button.click();
    await page.keyboard.type(role);
    await page.keyboard.press('Enter');
    await agents.getByRole('button', { name: role }).waitFor();
  };
  await choose(agents.getByRole('button', { name: /Creator/ }), 'Photographer');
  await agents.getByRole('combobox').fill('Smith');
  await page.getByRole('option', { name: /^Smith, Ann/ }).click();
  const kept = async () =>
    (await read()).field_linked_agent.map(({ rel_type, target_id }) => [rel_type, target_id]);
  await until('the contributor is saved', async () => (await kept()).length === 1);
  assert.deepEqual(await kept(), [['relators:pht', person]]);

  await field('title').getByRole('textbox').click();
  await agents.getByRole('button', { name: /^Add/ }).click();
  await choose(agents.getByRole('button', { name: /Creator/ }), 'Author');
  await agents.getByRole('combobox').last().fill('Smith');
  await page.getByRole('option', { name: /^Smith, Ann/ }).click();
  await until('both contributors are saved', async () => (await kept()).length === 2);
  assert.deepEqual(await kept(), [
    ['relators:pht', person],
    ['relators:aut', person],
  ]);
});

test('a new item is what the keys act on, not what was selected before', async (t) => {
  const { baseUrl, rest, page, model } = await withItem(t);
  for (const title of ['Pier', 'Mole']) await rest.createItem(title, { field_model: [{ target_id: model }] });
  await page.goto(`${baseUrl}/?view=unfiled`);
  await page.getByRole('gridcell', { name: 'Mole', exact: true }).click();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected', { exact: true }).waitFor();
  await page.getByTestId('add-menu').click();
  await page.getByRole('menuitem', { name: 'New item…' }).click();
  const dialog = page.getByTestId('create');
  await dialog.getByLabel('Title').fill('Breakwater');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Breakwater', selected: true }).waitFor();
  await page.getByText('1 selected', { exact: true }).waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Delete');
  await page.getByTestId('erase').getByText('Breakwater').first().waitFor();
  await page.keyboard.press('Escape');
});

test('a date is typed as people write it, and the field says what is stored', async (t) => {
  const name = 'field_edtf_date_created';
  const { page, field, read } = await withItem(t, { [name]: [{ value: '1890' }] });
  const date = field(name);
  const input = date.getByRole('textbox');
  const stored = async (edtf) => {
    await until(`${edtf} is saved`, async () => (await read())[name][0]?.value === edtf);
    await until(`${edtf} is in the field`, async () => (await input.inputValue()) === edtf);
  };
  await input.fill('12.6.1955');
  await date.getByText('12.6.1955 → 1955-06-12 (12 June 1955)', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await stored('1955-06-12');
  await date.getByText('12 June 1955', { exact: true }).waitFor();

  await input.fill('3/4/1955');
  const readings = '3 April 1955 (1955-04-03) or 4 March 1955 (1955-03-04)';
  await date.getByText(`3/4/1955 may be ${readings}. Write which one.`, { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await date.getByText(/^Not a date/).waitFor();
  assert.equal(await input.inputValue(), '3/4/1955');
  assert.equal((await read())[name][0].value, '1955-06-12');

  await input.fill('um 1930');
  await page.keyboard.press('Enter');
  await stored('1930~');
  await page.getByTestId('add-filter').click();
  await page.getByRole('menuitem', { name: 'Date', exact: true }).click();
  await page.getByRole('dialog', { name: 'Date' }).getByRole('textbox').fill('before 1940');
  await page.keyboard.press('Enter');
  await page.getByText('1940 or earlier').first().waitFor();
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).waitFor();
});
