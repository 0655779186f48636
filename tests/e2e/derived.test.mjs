import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { addScan, openBrowser, pictureIn, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const MADE = { derivatives: true };

test('the small picture of a scan appears while the page stays as it is', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.evaluate(() => (window.unchanged = true));

  await addScan(page, 'Isola nova');
  await pictureIn(page, 'Isola nova');
  const small = page.getByRole('gridcell', { name: 'Isola nova' }).locator('img[src*="-thumbnail.jpg"]');
  await small.waitFor();
  assert.equal(await page.evaluate(() => window.unchanged), true);
});

test('why a damaged scan has no picture is said, and it gets another turn', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem('Torn', { field_model: [{ target_id: model }] });
  const whole = await readFile(new URL('../samples/pictures/plain.tif', import.meta.url));
  const torn = whole.subarray(0, whole.length / 2);
  await rest.upload(item.nid[0].value, 'file', use, 'public://torn.tif', 'image/tiff', torn);

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const card = page.getByRole('gridcell', { name: 'Torn' });
  await card.locator('[data-words="No picture"]').waitFor();
  await card.click();
  const why = page.getByTestId('no-picture');
  await why.getByText('The file ends in the middle').waitFor();
  await accessible(page, 'an item without a picture');

  const again = page.waitForResponse((answer) => answer.url().endsWith('/retry'));
  await why.getByRole('button', { name: 'Retry' }).click();
  await again;
  await why.getByText('The file ends in the middle').waitFor();

  const lie = await rest.createItem('Lie', { field_model: [{ target_id: model }] });
  const nid = lie.nid[0].value;
  await rest.upload(nid, 'image', use, 'public://lie.png', 'image/png', 'no picture at all');
  await page.goto(`${baseUrl}/node/${nid}?view=all&page=1`);
  const viewer = page.getByTestId('viewer');
  await viewer.getByText('This picture cannot be shown').waitFor();
  await viewer.getByText('it is no picture of a format that can be read here').waitFor();
  await accessible(page, 'viewer of what is no picture');
  const turn = page.waitForResponse((answer) => answer.url().endsWith('/retry'));
  await viewer.getByRole('button', { name: 'Retry' }).click();
  assert.equal((await turn).status(), 204);

  await page.goto(`${baseUrl}/admin/health`);
  await page.getByText('Text recognition: tesseract is not installed; 1 image waiting').waitFor();
  await page.getByText('No processing errors').waitFor();
  await accessible(page, 'what lacks a program');
});

test('what a file says of itself is taken over at once, and taken back', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Audio'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem('cover', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  const bytes = await readFile(new URL('../samples/recordings/cover.mp3', import.meta.url));
  await rest.upload(nid, 'audio', use, 'public://cover.mp3', 'audio/mpeg', bytes);

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid}`);
  const offered = page.getByTestId('offered');
  await offered.getByText('Salt islands').waitFor();
  await offered.getByText('Ann Smith').waitFor();
  await accessible(page, 'what a file offers');
  await offered.getByRole('button', { name: 'Use all 2' }).click();
  await page.getByRole('gridcell', { name: 'Salt islands' }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('gridcell', { name: 'cover', exact: true }).waitFor();
  await offered.getByText('Salt islands').waitFor();
});

test('what their files say is taken over by several items at once', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Audio'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const bytes = await readFile(new URL('../samples/recordings/cover.mp3', import.meta.url));
  for (const title of ['cover', 'Named by hand']) {
    const { nid } = await rest.createItem(title, { field_model: [{ target_id: model }] });
    await rest.upload(nid[0].value, 'audio', use, `public://${nid[0].value}/cover.mp3`, 'audio/mpeg', bytes);
  }
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'cover', exact: true }).click();
  await page.getByTestId('offered').getByText('Salt islands').waitFor();
  await page.getByRole('gridcell', { name: 'Named by hand' }).click();
  await page.getByTestId('offered').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+e');
  await page.getByTestId('batch-field').click();
  await page.getByRole('combobox', { name: /^Field/ }).fill('From the file');
  await page.keyboard.press('Enter');
  await page.getByText('+ Salt islands').waitFor();
  await page.getByRole('button', { name: 'Change 2 items' }).click();
  await page.getByText('Filled fields of 2 items from their files').waitFor();
  await page.getByRole('gridcell', { name: 'Salt islands' }).waitFor();
  await page.getByRole('gridcell', { name: 'Named by hand' }).waitFor();
});
