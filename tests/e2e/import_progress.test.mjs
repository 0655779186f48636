import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const ROWS = 2000;
const TITLES = Array.from({ length: ROWS }, (_, index) => `Sheet ${index + 1},Image\n`);
const dialog = (page) => page.getByTestId('batch-items');
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });

/** The answer that the import has begun comes when it is paused already. */
async function importPaused(page, rest) {
  await page.route('**/api/v1/import/table?*', async (route) => {
    const answer = await route.fetch();
    if (answer.status() === 202) await rest.send('POST', `/api/v1/batches/${(await answer.json()).id}/pause`);
    await route.fulfill({ response: answer });
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill('Import a table');
  await page.getByRole('option', { name: 'Import a table…' }).click();
  const asked = page.waitForEvent('filechooser');
  await page.getByTestId('import-table').getByRole('button', { name: 'Choose a table…' }).click();
  const buffer = Buffer.from(`title,field_model\n${TITLES.join('')}`);
  await (await asked).setFiles({ name: 'maps.csv', mimeType: 'text/csv', buffer });
  await page.getByTestId('import-table').getByRole('button', { name: 'Import', exact: true }).click();
}

async function begin(t) {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await importPaused(page, new Rest(baseUrl, password));
  await button(page, 'Resume').waitFor();
  return { page, baseUrl };
}

test('an import waits while its dialog is closed, goes on, and its result is saved', async (t) => {
  const { page, baseUrl } = await begin(t);
  await dialog(page).getByText('Paused', { exact: true }).waitFor();
  await accessible(page, 'an import that is paused');
  await page.keyboard.press('Escape');
  await page.goto(`${baseUrl}/admin/activity`);
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByTestId('batch-cell').click();
  await button(page, 'Resume').press('Enter');
  await button(page, 'Pause').press('Enter');
  await dialog(page)
    .getByRole('link', { name: /^Sheet \d+$/ })
    .first()
    .waitFor();
  await button(page, 'Resume').press('Enter');
  await dialog(page).getByText('2,000 of 2,000 changed').waitFor();
  await accessible(page, 'an import that has ended');
  const saved = page.waitForEvent('download');
  await button(page, 'Save the result as a table').click();
  const table = await readFile(await (await saved).path(), 'utf8');
  assert.equal(table.trim().split('\n').length, ROWS + 1);
  await page.getByTestId('batch-cell').waitFor({ state: 'detached' });
});

test('an import is cancelled, and what came is told', async (t) => {
  const { page } = await begin(t);
  await button(page, 'Stop').click();
  await dialog(page)
    .getByText(/items were not tried/)
    .waitFor();
  await dialog(page)
    .getByText(/^\d+ of \d+ changed$/)
    .waitFor();
});
