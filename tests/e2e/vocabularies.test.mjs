import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const makeTerm = async (rest, name) => (await rest.createTerm('subject', name)).tid[0].value;

/** The page of a vocabulary with two similar terms, of which an item uses the first. */
async function withTerms(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const used = await makeTerm(rest, 'Sea chart');
  const kept = await makeTerm(rest, 'Sea charts');
  await makeTerm(rest, 'Globes');
  const model = await rest.term('islandora_models', 'Image');
  const fields = { field_model: [{ target_id: model }], field_subject: [{ target_id: used }] };
  const nid = (await rest.createItem('Atlas', fields)).nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/taxonomy/term?vocabulary=subject`);
  await page.getByRole('button', { name: 'Similar names' }).waitFor();
  const subjects = async () => {
    const node = await (await rest.send('GET', `/node/${nid}?_format=json`)).json();
    return node.field_subject.map(({ target_id: tid }) => tid);
  };
  return { page, rest, used, kept, subjects };
}

test('similar terms are merged into the one that is chosen, and one undo takes it back', async (t) => {
  const { page, used, kept, subjects } = await withTerms(t);
  await page.getByRole('button', { name: 'Similar names' }).click();
  await page.getByRole('button', { name: 'Merge 2 terms…' }).click();
  const dialog = page.getByTestId('merge-terms');
  await dialog.getByText('Nothing uses the other terms.').waitFor();
  await dialog.getByRole('radio', { name: /^Sea charts/ }).check();
  await dialog.getByText('Subject (Topical): 1').waitFor();
  await accessible(page, 'the merge of terms');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('Merged into “Sea charts”').waitFor();
  assert.deepEqual(await subjects(), [kept]);
  await page.getByText('No names are similar').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Merge 2 terms…' }).waitFor();
  assert.deepEqual(await subjects(), [used]);
});

test('a vocabulary is saved as SKOS', async (t) => {
  const { page } = await withTerms(t);
  await page.getByTestId('vocabulary-menu').click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as SKOS (Turtle)' }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'subject.ttl');
  assert.match(await readFile(await file.path(), 'utf8'), /skos:prefLabel "Sea charts"/);
});

test('terms are listed that nothing uses', async (t) => {
  const { page } = await withTerms(t);
  await page.getByRole('button', { name: 'Unused' }).click();
  await page.getByRole('link', { name: 'Globes' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Sea chart', exact: true }).count(), 0);
  await page.getByRole('checkbox', { name: 'Select Globes' }).check();
  await page.getByRole('checkbox', { name: 'Select Sea charts' }).check();
  await page.getByRole('button', { name: 'Merge 2 terms…' }).click();
  await page.getByTestId('merge-terms').getByText('Nothing uses the other terms.').waitFor();
});

test('a term is merged into one that is searched for, and its name is kept', async (t) => {
  const { page, rest, kept, subjects } = await withTerms(t);
  await page.getByRole('checkbox', { name: 'Select Sea chart', exact: true }).check();
  await page.getByRole('button', { name: 'Merge 1 term…' }).click();
  const dialog = page.getByTestId('merge-terms');
  assert.equal(await dialog.getByRole('button', { name: 'Merge' }).isDisabled(), true);
  await dialog.getByRole('combobox', { name: 'This term stays' }).fill('sea');
  await page.getByRole('option', { name: /^Sea charts/ }).click();
  await dialog.getByText('Subject (Topical): 1').waitFor();
  await accessible(page, 'the merge into another term');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('Merged into “Sea charts”').waitFor();
  assert.deepEqual(await subjects(), [kept]);
  const term = await (await rest.send('GET', `/taxonomy/term/${kept}?_format=json`)).json();
  assert.deepEqual(term.field_alternate_name, [{ value: 'Sea chart' }]);
});

async function chooseTerms(page, name, terms, button = 'Choose a file…') {
  const asked = page.waitForEvent('filechooser');
  await page.getByTestId('import-terms').getByRole('button', { name: button }).click();
  await (await asked).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(terms) });
}

test('terms are checked, imported, and taken back as one change', async (t) => {
  const { page } = await withTerms(t);
  await page.getByTestId('vocabulary-menu').click();
  await page.getByRole('menuitem', { name: 'Import terms…' }).click();
  const dialog = page.getByTestId('import-terms');
  await accessible(page, 'import of terms');
  await chooseTerms(page, 'terms.csv', 'name,parent,description\nPlans,Mops,\n');
  await dialog.getByText('There is no such term.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true);
  await chooseTerms(
    page,
    'terms.csv',
    'name,parent,description\nPlans,Globes,\nGlobes,,Round maps\nSea chart,,\n',
    'Choose another one…',
  );
  await dialog.getByText('1 new term, 1 term changes, 1 term stays as it is.').waitFor();
  await dialog.getByRole('cell', { name: 'Round maps' }).waitFor();
  await accessible(page, 'changes of terms');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported “terms.csv”').waitFor();
  await page.getByRole('button', { name: 'Terms below Globes' }).click();
  await page.getByRole('link', { name: 'Plans' }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('link', { name: 'Plans' }).waitFor({ state: 'detached' });
});
