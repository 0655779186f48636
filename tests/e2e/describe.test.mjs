import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { hold } from '../support/hold.mjs';
import { pressUntilOn } from '../support/keys.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const SUBJECTS = ['Harbours', 'Lighthouses', 'Lighthouse keepers'];
const two = (number) => String(number).padStart(2, '0');

/** A repository with scans that nobody has described, some subjects, and a page on it. */
async function withScans(t, count) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const nids = [];
  for (let number = 1; number <= count; number += 1) {
    const made = await rest.createItem(`Scan ${two(number)}`, { field_model: [{ target_id: model }] });
    nids.push(made.nid[0].value);
  }
  const tids = {};
  for (const name of SUBJECTS) tids[name] = (await rest.createTerm('subject', name)).tid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const read = async (nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json();
  const subjects = async (nid) => (await read(nid)).field_subject.map(({ target_id }) => target_id);
  const select = (title) => page.getByRole('gridcell', { name: title, exact: true }).click();
  /** The values of a field in the form; without several values there is one. */
  const values = (name) => page.getByTestId(`field-${name}`);
  return { baseUrl, page, rest, nids, tids, read, subjects, select, values };
}

/** Waits until the form of an item is there and the keyboard stands in this field. */
const standsIn = (page, title, name) =>
  page.waitForFunction(
    ([title, name]) =>
      document.querySelector('#pane-inspector [data-testid="field-title"]')?.value === title &&
      document.activeElement?.closest('[data-field]')?.getAttribute('data-field') === name,
    [title, name],
  );

test('twenty items are described by keys alone, and nothing of it is lost', async (t) => {
  const { page, nids, tids, read, values } = await withScans(t, 20);
  await page.getByRole('gridcell', { name: 'Scan 20', exact: true }).waitFor();
  await pressUntilOn(page, 'F6', page.getByRole('grid'), 4);
  await page.keyboard.press('Home');
  await page.getByRole('gridcell', { name: 'Scan 20', exact: true, selected: true }).waitFor();
  await page.keyboard.press('F2');
  // The list is sorted by the date of the last change: each one that is described goes to its top.
  for (let number = 20; number > 0; number -= 1) {
    await standsIn(page, `Scan ${two(number)}`, number === 20 ? 'title' : 'field_subject');
    await pressUntilOn(page, 'Shift+Tab', values('title'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(`View ${two(number)}`);
    await pressUntilOn(page, 'Tab', values('field_edtf_date_created'));
    await page.keyboard.type(`18${two(number)}`);
    await pressUntilOn(page, 'Tab', values('field_description'));
    await page.keyboard.type(`Seen from the sea, ${number}`);
    await pressUntilOn(page, 'Tab', values('field_subject'));
    await page.keyboard.type('Lighthouses');
    await page.keyboard.press('Tab');
    await page.keyboard.type('harbours');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Alt+PageDown');
  }
  await page.getByText('This is the last item of the list.').waitFor();
  for (const [index, nid] of nids.entries()) {
    const number = index + 1;
    const wanted = {
      title: [`View ${two(number)}`],
      field_edtf_date_created: [`18${two(number)}`],
      field_description: [`Seen from the sea, ${number}`],
      field_subject: [tids.Lighthouses, tids.Harbours],
    };
    await until(`item ${number} is described`, async () => {
      const node = await read(nid);
      const kept = (name) => node[name].map(({ value, target_id }) => value ?? target_id);
      return Object.entries(wanted).every(([name, items]) => String(kept(name)) === String(items));
    });
  }
});

test('a term is kept that was typed and left before its suggestions came, by whatever way', async (t) => {
  const { page, nids, tids, subjects, select, values } = await withScans(t, 3);
  const leave = [
    () => page.keyboard.press('Enter').then(() => page.keyboard.press('Tab')),
    () => page.getByTestId('search').click(),
    () => page.keyboard.press('Alt+PageDown'),
  ];
  for (const [index, by] of leave.entries()) {
    await select(`Scan ${two(index + 1)}`);
    await values('field_subject').click();
    const found = await hold(page, '**/api/v1/terms?*ighthouses*');
    await page.keyboard.type('lighthouses');
    await by();
    await found.begun();
    await found.letGo();
    const kept = async () => (await subjects(nids[index]))[0] === tids.Lighthouses;
    await until(`the term of item ${index + 1} is kept`, kept);
  }
});

test('after a subject was chosen, typing goes on in a new value', async (t) => {
  const { page, nids, tids, subjects, select, values } = await withScans(t, 1);
  await select('Scan 01');
  await values('field_subject').fill('Harb');
  await page.getByRole('option', { name: /^Harbours/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await until('a second value has the keyboard', () =>
    values('field_subject')
      .nth(1)
      .evaluate((one) => one === document.activeElement),
  );
  await page.keyboard.type('Lighthouse keepers');
  await page.getByTestId('search').click();
  const wanted = [tids.Harbours, tids['Lighthouse keepers']];
  await until('both are kept', async () => String(await subjects(nids[0])) === String(wanted));
  assert.equal(await values('field_subject').count(), 2, 'no empty value stays');
});

test('a name that nobody has makes nothing by itself and stays, marked, until it is a term or dropped', async (t) => {
  const { page, rest, nids, read, select, values } = await withScans(t, 1);
  await rest.createTerm('person', 'Petersen, Anna');
  const agents = values('field_linked_agent');
  const said = page.getByText('Not saved: choose a term or create “Petersn”.');
  await select('Scan 01');
  await agents.fill('Petersn');
  const offers = page.getByRole('option', { name: /^New term/ });
  await offers.first().waitFor();
  assert.match(await offers.first().textContent(), /in Person/);
  assert.equal(await page.getByRole('option', { selected: true }).count(), 0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await said.waitFor();
  await accessible(page, 'a name that is no term');
  await page.reload();
  await said.waitFor();
  assert.equal(await agents.inputValue(), 'Petersn');
  assert.deepEqual((await read(nids[0])).field_linked_agent, []);
  assert.equal(await page.getByText('1 field not saved').count(), 1);
  await page.getByRole('button', { name: 'New term “Petersn” in Person' }).click();
  const tid = async () => (await read(nids[0])).field_linked_agent[0]?.target_id;
  await until('the agent is kept', async () => (await tid()) !== undefined);
  assert.equal(await tid(), await rest.term('person', 'Petersn'));

  await page.getByTestId('field-field_subject').fill('Quay');
  await page.getByTestId('search').click();
  await page.getByText('create “Quay”').waitFor();
  await page.getByTestId('field-field_subject').press('Escape');
  await page.getByText('create “Quay”').waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('field-field_subject').inputValue(), '');
  assert.deepEqual((await read(nids[0])).field_subject, []);
});

test('a typed collection is the one where a new item goes, and an unknown one holds the form', async (t) => {
  const { page, rest } = await withScans(t, 1);
  const collection = await rest.term('islandora_models', 'Collection');
  const made = await rest.createItem('Maps', { field_model: [{ target_id: collection }] });
  await page.getByRole('treeitem', { name: 'Maps' }).waitFor();
  await page.getByTestId('add-menu').click();
  await page.getByRole('menuitem', { name: 'New item…' }).click();
  const dialog = page.getByTestId('create');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Chart of the strait');
  const place = dialog.getByRole('combobox', { name: 'In' });
  await place.fill('Mapz');
  await dialog.getByRole('button', { name: 'Create item' }).click();
  await dialog.getByText('Nothing is called “Mapz”.').waitFor();
  const found = await hold(page, '**/api/v1/items?*q=maps*');
  await place.fill('maps');
  await dialog.getByRole('button', { name: 'Create item' }).click();
  await found.begun();
  await found.letGo();
  await dialog.waitFor({ state: 'detached' });
  const { items } = await (await rest.send('GET', '/api/v1/items?q=strait')).json();
  const node = await (await rest.send('GET', `/node/${items[0].nid}?_format=json`)).json();
  assert.equal(node.field_member_of[0].target_id, made.nid[0].value);
});

test('filters, lists of fields and changes of many take what was typed, too', async (t) => {
  const { page, tids, nids, subjects } = await withScans(t, 2);
  await page.getByTestId('add-filter').click();
  await page.getByRole('menuitem', { name: 'Has a value in' }).click();
  await page.getByRole('dialog', { name: 'Has a value in' }).getByRole('combobox').fill('model');
  await page.getByTestId('search').click();
  await page.getByText('Has a value in: Model').waitFor();

  await page.getByRole('gridcell', { name: /^Scan/ }).first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+e');
  await page.getByTestId('batch-field').click();
  const field = page.getByRole('combobox', { name: /^Field/ });
  await field.fill('Subjectt');
  await page.getByTestId('search').click();
  await page.getByText('Nothing is called “Subjectt”.').waitFor();
  await field.fill('subject (topical)');
  await page.keyboard.press('Tab');
  await page.getByRole('combobox', { name: 'Value: Subject (Topical)' }).fill('Lighthousees');
  await page.keyboard.press('Tab');
  await page.getByText('create “Lighthousees”').waitFor();
  assert.ok(await page.getByTestId('batch-run').isDisabled(), 'nothing is set to what is no term');
  await page.getByRole('combobox', { name: 'Value: Subject (Topical)' }).fill('lighthouses');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Change 2 items' }).click();
  await page.getByText('Changed Subject (Topical) of 2 items').waitFor();
  for (const nid of nids) assert.deepEqual(await subjects(nid), [tids.Lighthouses]);
});

test('Hebrew is written from right to left, and roles are sorted by their names', async (t) => {
  const { page, values, select } = await withScans(t, 1);
  await select('Scan 01');
  await values('title').fill('מפת נמל יפו (1799)');
  await values('title').blur();
  const card = page.getByRole('gridcell', { name: 'מפת נמל יפו (1799)' });
  const rightToLeft = (locator) => locator.evaluate((one) => one.matches(':dir(rtl)'));
  assert.ok(await rightToLeft(card.getByText('מפת נמל יפו (1799)')));
  assert.ok(await rightToLeft(values('title')));
  assert.ok(!(await rightToLeft(values('field_description'))));

  await page.getByRole('button', { name: /^Role: / }).click();
  await page.getByRole('combobox', { name: /^Role/ }).fill('c');
  const names = (await page.getByRole('option').allTextContents()).map((text) => text.trim());
  const at = (name) => names.findIndex((text) => text.startsWith(name));
  assert.ok(at('Complainant') >= 0 && at('Complainant') < at('Copyright claimant'), String(names));
});
