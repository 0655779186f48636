import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A page with one item in it, and what is often done there. */
async function withItem(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  const nid = (await rest.createItem('Quay', { field_model: model })).nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const openModel = async () => {
    await page.getByRole('button', { name: 'Fields and types' }).click();
    await page.getByTestId('fields').waitFor();
  };
  const dialog = page.getByTestId('field-dialog');
  /** Begins a new field of that kind. */
  const begin = async (kind, label) => {
    await page.getByTestId('add-field-menu').click();
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Label', exact: true }).fill(label);
  };
  const add = () => dialog.getByRole('button', { name: 'Add field' }).click();
  /** Saves, after the effect was told. */
  const save = async (effect) => {
    await page.getByRole('button', { name: 'Save changes…' }).click();
    const asked = page.getByTestId('save-model');
    await asked.getByText(effect).waitFor();
    await asked.getByRole('button', { name: 'Save changes', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
  };
  const openItem = async () => {
    await page.getByRole('treeitem', { name: 'All items' }).click();
    await page.getByRole('gridcell', { name: 'Quay', exact: true }).click();
  };
  const stored = async () => (await rest.send('GET', `/node/${nid}?_format=json`)).json();
  return { page, dialog, openModel, begin, add, save, openItem, stored };
}

/** Adds the short text “Condition” in the group “Care”. */
async function addCondition({ dialog, openModel, begin, add, save }) {
  await openModel();
  await begin('Short text', 'Condition');
  await dialog.getByRole('combobox', { name: 'Group' }).fill('Care');
  await dialog.getByRole('textbox', { name: 'Help below the input' }).fill('What is damaged.');
  await dialog.getByRole('combobox', { name: 'Facet' }).selectOption('A facet of its own');
  await add();
  await save('New field Condition in Repository Item');
}

test('a new field is filled in, counted, removed and brought back', async (t) => {
  const seen = await withItem(t);
  const { page, openModel, save, openItem, stored } = seen;
  await addCondition(seen);
  await openItem();
  await page.getByRole('heading', { name: 'Care' }).waitFor();
  await page.getByText('What is damaged.').waitFor();
  const input = page.getByRole('textbox', { name: 'Condition' });
  await input.fill('Torn');
  await input.press('Enter');
  await page.locator('[data-field=field_condition][data-state=saved]').waitFor();
  assert.equal((await stored()).field_condition[0].value, 'Torn');

  await openModel();
  await page.getByRole('button', { name: 'Edit Condition' }).press('Delete');
  await save('Condition is removed from Repository Item; its values are no longer shown in 1 item');
  assert.equal((await stored()).field_condition, undefined);
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone: Condition is removed/).waitFor();
  assert.equal((await stored()).field_condition[0].value, 'Torn');
  await openItem();
  await page.getByRole('textbox', { name: 'Condition' }).waitFor();
});

test('a new vocabulary is used by a new field', async (t) => {
  const { page, dialog, openModel, begin, add, save } = await withItem(t);
  await openModel();
  await accessible(page, 'fields and types');
  await page.getByRole('button', { name: 'New vocabulary…' }).click();
  const made = page.getByTestId('new-bundle');
  await made.getByRole('textbox', { name: 'Label' }).fill('Techniques');
  await made.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Repository Item' }).click();
  await begin('Term of a vocabulary', 'Technique');
  await dialog.getByRole('checkbox', { name: 'Techniques' }).check();
  await accessible(page, 'a new field');
  await add();
  await save('New field Technique in Repository Item');
  await page.getByRole('button', { name: 'Vocabularies', exact: true }).click();
  await page.getByRole('button', { name: 'Techniques' }).waitFor();
});

test('leaving with unsaved changes asks first', async (t) => {
  const { page, openModel } = await withItem(t);
  await openModel();
  await page.getByRole('button', { name: 'Edit Extent' }).press('Alt+ArrowUp');
  await page.getByText('1 unsaved change').waitFor();
  await page.getByRole('treeitem', { name: 'All items' }).click();
  const asked = page.getByTestId('leave-model');
  await asked.getByRole('button', { name: 'Stay' }).click();
  await page.getByText('1 unsaved change').waitFor();
  await page.getByRole('treeitem', { name: 'All items' }).click();
  await asked.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('gridcell', { name: 'Quay', exact: true }).waitFor();
});
