import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { addScan, openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A collection that is open in a page, with one described item in it. */
async function withCollection(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const term = async (vocabulary, name) => [{ target_id: await rest.term(vocabulary, name) }];
  const made = await rest.createItem('Plates', { field_model: await term('islandora_models', 'Collection') });
  const collection = made.nid[0].value;
  await rest.createItem('Quay', {
    field_model: await term('islandora_models', 'Image'),
    field_member_of: [{ target_id: collection }],
    field_extent: [{ value: '13 × 18 cm' }],
    field_language: await term('language', 'German'),
  });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('treeitem', { name: 'Plates' }).click();
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).waitFor();
  const found = async (title) => {
    const query = new URLSearchParams({ q: title });
    const { items } = await (await rest.send('GET', `/api/v1/items?${query}`)).json();
    return (await rest.send('GET', `/node/${items[0].nid}?_format=json`)).json();
  };
  const run = async (words, name) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to anything' }).fill(words);
    await page.getByRole('option', { name, selected: true }).waitFor();
    await page.keyboard.press('Enter');
  };
  const path = `/api/v1/collections/${collection}/templates`;
  const keep = async (template) => {
    const body = JSON.stringify({ type: 'islandora_object', ...template });
    const headers = { 'Content-Type': 'application/json' };
    assert.equal((await rest.send('PUT', path, { headers, body })).status, 200);
  };
  /** The names and extents of the templates. */
  const kept = async () => {
    const { templates } = await (await rest.send('GET', path)).json();
    return templates.map(({ name, values }) => [name, values.field_extent[0].value]);
  };
  return { page, found, run, keep, kept };
}

/** Chooses a file; the sheet shows what becomes of it. */
async function openDrop(page, name) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  await (await chooser).setFiles({ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await page.getByTestId('visible-to').waitFor();
}

test('new and dropped items get the defaults of their collection', async (t) => {
  const { page, found } = await withCollection(t);
  await page.getByRole('treeitem', { name: 'Plates' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Defaults for new items…' }).click();
  const dialog = page.getByTestId('defaults');
  await dialog.getByTestId('template-add-field').click();
  await page.getByRole('combobox', { name: /^Add field/ }).fill('Extent');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'Extent: Extent' }).fill('1 plate');
  await accessible(page, 'the defaults of a collection');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the defaults of “Plates”').waitFor();

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New item' }).click();
  const create = page.getByTestId('create');
  await create.getByText('Gets from the defaults of “Plates”: Extent').waitFor();
  await create.getByRole('textbox', { name: 'Title' }).fill('Pier');
  await create.getByRole('button', { name: 'Create item' }).click();
  await page.getByRole('gridcell', { name: 'Pier', exact: true }).waitFor();
  assert.equal((await found('Pier')).field_extent[0].value, '1 plate');

  await addScan(page, 'Lighthouse');
  await page.getByRole('gridcell', { name: 'Lighthouse', exact: true }).waitFor();
  assert.equal((await found('Lighthouse')).field_extent[0].value, '1 plate');
});

test('a template is made of an item, and fills others', async (t) => {
  const { page, found, run } = await withCollection(t);
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  await run('save as', /^Save as template/);
  const save = page.getByTestId('save-template');
  await save.getByRole('textbox', { name: 'Name' }).fill('Glass negative');
  await save.getByRole('checkbox', { name: 'Language' }).uncheck();
  await accessible(page, 'making a template');
  await save.getByRole('button', { name: 'Save template' }).click();
  await page.getByText('Saved the template “Glass negative”').waitFor();

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New item' }).click();
  const create = page.getByTestId('create');
  await create.getByRole('textbox', { name: 'Title' }).fill('Pier');
  await create.getByRole('combobox', { name: 'Template' }).selectOption('Glass negative');
  await create.getByRole('button', { name: 'Create item' }).click();
  await page.getByRole('gridcell', { name: 'Pier', exact: true }).waitFor();
  const pier = await found('Pier');
  assert.equal(pier.field_extent[0].value, '13 × 18 cm');
  assert.deepEqual(pier.field_language, []);
});

test('a template is applied to selected items', async (t) => {
  const { page, found, keep } = await withCollection(t);
  const values = { field_extent: [{ value: '1 print' }], field_rights: [{ value: 'Free' }] };
  await keep({ name: 'Print', values });
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  await page.getByTestId('item-menu').click();
  await page.getByRole('menuitem', { name: 'Apply template…' }).click();
  const choice = page.getByTestId('apply-template').getByRole('button', { name: /^Print/ });
  await choice.and(page.locator(':focus')).waitFor();
  await accessible(page, 'choosing a template');
  await page.keyboard.press('Enter');
  await page.getByTestId('description').getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Applied to 1 item').waitFor();
  const quay = await found('Quay');
  assert.equal(quay.field_extent[0].value, '13 × 18 cm');
  assert.equal(quay.field_rights[0].value, 'Free');
});

test('files that are dropped have the visibility of the defaults of their collection', async (t) => {
  const { page, found, keep } = await withCollection(t);
  await keep({ name: null, values: { status: [{ value: true }] } });
  await openDrop(page, 'Lighthouse');
  const visibility = page.getByTestId('visible-to');
  await page.waitForFunction((select) => select.value === 'true', await visibility.elementHandle());
  await page.getByRole('button', { name: 'Add 1 item' }).click();
  await page.getByRole('gridcell', { name: 'Lighthouse', exact: true }).waitFor();
  assert.equal((await found('Lighthouse')).status[0].value, true);
  await openDrop(page, 'Mole');
  await visibility.selectOption('Staff only');
  await page.getByRole('button', { name: 'Add 1 item' }).click();
  await page.getByRole('gridcell', { name: 'Mole', exact: true }).waitFor();
  assert.equal((await found('Mole')).status[0].value, false);
});

test('a template that was kept, changed or deleted is undone and redone by keys', async (t) => {
  const { page, kept, keep, run } = await withCollection(t);
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  await run('save as', /^Save as template/);
  const save = page.getByTestId('save-template');
  await save.getByRole('textbox', { name: 'Name' }).fill('Print');
  await save.getByRole('button', { name: 'Save template' }).click();
  await page.getByText('Saved the template “Print”').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: Print of “Plates”').waitFor();
  assert.deepEqual(await kept(), []);
  await page.keyboard.press('Control+Shift+Z');
  await page.getByText('Redone: Print of “Plates”').waitFor();
  assert.deepEqual(await kept(), [['Print', '13 × 18 cm']]);

  await run('apply tem', /^Apply template/);
  await page.getByRole('button', { name: 'Delete template “Print”' }).click();
  await page.getByText('Deleted the template “Print”').waitFor();
  await page.keyboard.press('Escape');
  await keep({ name: 'Print', values: { field_extent: [{ value: 'by another' }] } });
  await page.keyboard.press('Control+z');
  const question = page.getByTestId('undo-question');
  await question.getByRole('row', { name: /Print.*Extent: by another.*Extent: 13 × 18 cm/ }).waitFor();
  await accessible(page, 'a template that somebody else has changed');
  await question.getByRole('button', { name: 'Undo anyway' }).click();
  await page.getByText('Undone: Print of “Plates”').waitFor();
  assert.deepEqual(await kept(), [['Print', '13 × 18 cm']]);
});
