import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, pictureIn, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { drawScan } from '../support/scan.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const ALONE = '[lan]\naddress = "127.0.0.3"\nannounce = false\n';

test('the status bar says who is here, what is selected and what is backed up, each a way there', async (t) => {
  const { baseUrl, password } = await serve(t, ALONE);
  const rest = new Rest(baseUrl, password);
  const headers = { 'Content-Type': 'application/json' };
  const ines = JSON.stringify({ name: 'ines', password: 'a long password', roles: [] });
  const made = await rest.send('POST', '/api/v1/users', { headers, body: ines });
  assert.equal(made.status, 201);
  const use = await rest.term('islandora_media_use', 'Original File');
  const image = await rest.term('islandora_models', 'Image');
  for (const [title, size] of [
    ['Chart', 2048],
    ['Plan', 1024],
  ]) {
    const { nid } = await rest.createItem(title, { field_model: [{ target_id: image }] });
    const uri = `public://${title}.zip`;
    await rest.upload(nid[0].value, 'file', use, uri, 'application/zip', 'x'.repeat(size));
  }
  const colleague = await openBrowser(t);
  await signIn(colleague, baseUrl, 'a long password', 'ines');
  await colleague.getByRole('gridcell', { name: 'Plan' }).waitFor();
  assert.equal(await colleague.getByTestId('people-cell').count(), 0);
  assert.equal(await colleague.getByTestId('care-cell').count(), 0);

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByTestId('people-cell').getByText('2 people here').waitFor();
  await page.getByTestId('care-cell').getByText('No backup yet').waitFor();
  await page.getByRole('gridcell', { name: 'Plan' }).click();
  await page.getByTestId('selected-size').getByText('1 kB').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByTestId('selected-size').getByText('3.1 kB').waitFor();
  await accessible(page, 'the status bar');
  await page.getByTestId('care-cell').click();
  await page.waitForURL('**/admin/health');
  await page.getByTestId('lan-cell').click();
  await page.waitForURL('**/admin/server');
  await page.getByRole('switch', { name: 'LAN access' }).click();
  await page.getByTestId('lan-cell').getByText('LAN on').waitFor();
});

test('the status bar warns of damaged files, on every page, until they are intact again', async (t) => {
  const { baseUrl, password, data } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const use = await rest.term('islandora_media_use', 'Original File');
  const image = await rest.term('islandora_models', 'Image');
  const { nid } = await rest.createItem('Chart', { field_model: [{ target_id: image }] });
  await rest.upload(nid[0].value, 'file', use, 'public://chart.txt', 'text/plain', 'soundings');
  const path = join(data, 'files', 'public', 'chart.txt');
  // A check that is asked for while another one runs is that one, which may have read the file before.
  const verify = (amiss) =>
    until('a check has found it', async () => {
      assert.equal((await rest.send('POST', '/api/v1/fixity')).status, 202);
      const status = await (await rest.send('GET', '/api/v1/fixity')).json();
      return status.amiss === amiss;
    });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const cell = page.getByTestId('care-cell');
  await cell.getByText('No backup yet').waitFor();
  const colour = () => cell.evaluate((cell) => getComputedStyle(cell).color);
  const calm = await colour();
  await writeFile(path, 'soundingz');
  await verify(1);
  await page.reload();
  await cell.getByText('1 failed check').waitFor();
  assert.notEqual(await colour(), calm);
  await accessible(page, 'a warning in the status bar');
  await page.setViewportSize({ width: 700, height: 800 });
  await cell.getByText('1 failed check').waitFor();
  await cell.click();
  await page.waitForURL('**/admin/health');
  await page.getByText('1 file is damaged or missing').waitFor();
  await writeFile(path, 'soundings');
  await verify(0);
  await page.reload();
  await cell.getByText('1 failed check').waitFor({ state: 'detached' });
});

test('rows are selected by their check boxes, and by keys', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  for (const title of ['Bell', 'Chart', 'Plan'])
    await rest.createItem(title, { field_model: [{ target_id: model }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Plan' }).waitFor();
  await page.getByRole('button', { name: 'Table (Ctrl+2)' }).click();
  const check = (title) => page.getByRole('row').filter({ hasText: title }).locator('[data-check]');
  const all = page.getByRole('checkbox', { name: 'Select all' });
  await check('Chart').click();
  await check('Bell').click();
  await page.getByText('2 selected', { exact: true }).waitFor();
  assert.equal(await all.getAttribute('aria-checked'), 'mixed');
  await check('Bell').click();
  await page.getByText('1 selected', { exact: true }).waitFor();
  await page.getByRole('grid', { name: 'Items' }).focus();
  await page.keyboard.press('Control+Space');
  await page.getByText('2 selected', { exact: true }).waitFor();
  await accessible(page, 'rows with check boxes');
  await all.click();
  await page.getByText('3 selected', { exact: true }).waitFor();
  await all.click();
  await page.getByText('3 selected', { exact: true }).waitFor({ state: 'detached' });
});

test('a collection shows a picture of what is in it', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Collection');
  const within = (nid) => ({ field_member_of: [{ target_id: nid }] });
  const collection = { field_model: [{ target_id: model }] };
  const fonds = (await rest.createItem('Fonds', collection)).nid[0].value;
  const series = (await rest.createItem('Series', { ...collection, ...within(fonds) })).nid[0].value;
  const image = { field_model: [{ target_id: await rest.term('islandora_models', 'Image') }] };
  const chart = (await rest.createItem('Chart', { ...image, ...within(series) })).nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const use = await rest.term('islandora_media_use', 'Original File');
  const picture = Buffer.from(await page.evaluate(drawScan, 'Chart'), 'base64');
  await rest.upload(chart, 'image', use, 'public://chart.jpg', 'image/jpeg', picture);
  await page.goto(`${baseUrl}/?view=all`);
  await pictureIn(page, 'Fonds');
  await accessible(page, 'collections with pictures');
});
