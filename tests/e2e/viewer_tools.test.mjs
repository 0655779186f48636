import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const MADE = { derivatives: true };
const sample = (name) => readFile(new URL(`../samples/${name}`, import.meta.url));

/** Items with a picture each, and a page that is signed in and may use the clipboard. */
async function openPictures(t, files) {
  const { baseUrl, password } = await serve(t, undefined, MADE);
  const rest = new Rest(baseUrl, password);
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const nids = {};
  for (const [title, name, mime] of files) {
    const item = await rest.createItem(title, { field_model: [{ target_id: model }] });
    const nid = (nids[title] = item.nid[0].value);
    const type = mime === 'image/tiff' ? 'file' : 'image';
    await rest.upload(nid, type, use, `public://${name}`, mime, await sample(`pictures/${name}`));
    const made = `/api/v1/items/${nid}/media`;
    await until(`the picture of ${title}`, async () => {
      const { media } = await (await rest.send('GET', made)).json();
      return media.some(({ file }) => file?.facts?.width) && media.length > 1;
    });
  }
  const page = await openBrowser(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await signIn(page, baseUrl, password);
  const viewer = page.getByTestId('viewer');
  const stage = (within) => within.locator('[data-testid="picture-stage"][data-state="shown"]');
  return { baseUrl, rest, nids, page, viewer, stage };
}

const TIFF = ['Log', 'pages.tif', 'image/tiff'];
const [MAP, PLAN] = [
  ['Map', 'large.jpg', 'image/jpeg'],
  ['Plan', 'large-group4-expected.png', 'image/png'],
];

test('all pages of a TIFF are viewed, and a region of one is copied', async (t) => {
  const { baseUrl, rest, nids, page, viewer, stage } = await openPictures(t, [TIFF]);
  await page.goto(`${baseUrl}/node/${nids.Log}?view=all&page=1`);
  await viewer.getByText('of 3').waitFor();
  await stage(viewer).waitFor();
  for (const number of [1, 2, 3]) await viewer.locator(`nav button:nth-child(${number}) img`).waitFor();
  await page.keyboard.press('End');
  await viewer.locator('nav [aria-current="page"]').filter({ hasText: '3' }).waitFor();
  await stage(viewer).waitFor();
  await accessible(page, 'viewer of a TIFF');
  assert.equal(await viewer.getByRole('button', { name: 'Crop' }).count(), 0, 'a crop is of the first page');

  const { media } = await (await rest.send('GET', `/api/v1/items/${nids.Log}/media`)).json();
  const { fid } = media.find(({ name }) => name === 'pages.tif').file;
  await page.keyboard.press('r');
  await page.keyboard.press('g');
  await viewer.getByTestId('region-bar').waitFor();
  await accessible(page, 'region of a picture');
  await page.keyboard.press('Shift+ArrowLeft');
  await viewer.getByRole('button', { name: 'Copy IIIF address' }).click();
  await viewer.getByText('Copied').waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const [, id, region, rest_] = address.match(/\/iiif\/image\/3\/([^/]*)\/([^/]*)\/(.*)$/);
  assert.deepEqual([id, rest_], [`${fid}:3`, 'max/90/default.jpg']);
  assert.match(region, /^\d+,\d+,\d+,\d+$/);
  const picture = await rest.send('GET', address);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);

  await page.keyboard.press('g');
  await viewer.getByRole('button', { name: 'Copy picture' }).click();
  await viewer.getByTestId('region-bar').waitFor({ state: 'detached' });
  const types = await page.evaluate(async () => (await navigator.clipboard.read())[0].types);
  assert.deepEqual(types, ['image/png']);
});

test('two items are compared side by side, and their zoom is linked', async (t) => {
  const { baseUrl, page, viewer, stage } = await openPictures(t, [MAP, PLAN]);
  await page.goto(baseUrl);
  await page.getByRole('gridcell', { name: 'Map' }).click();
  await page.getByRole('gridcell', { name: 'Plan' }).click({ modifiers: ['Control'] });
  await page.getByRole('gridcell', { name: 'Plan' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare side by side' }).click();
  const compared = page.getByTestId('compared');
  const main = viewer.locator('.pane');
  for (const pane of [main, compared]) await stage(pane).waitFor();
  assert.ok(page.url().includes(`with=`));
  await accessible(page, 'comparison');

  const percent = async (pane) => parseInt(await pane.getByTestId('zoom-percent').textContent(), 10);
  const [before, other] = [await percent(main), await percent(compared)];
  await compared.hover();
  await page.keyboard.press('+');
  await until(
    'both are larger',
    async () => (await percent(main)) > before && (await percent(compared)) > other,
  );
  await compared.getByRole('button', { name: 'Zoom both together' }).click();
  await until('they rest', async () => {
    const now = await percent(compared);
    await new Promise((resume) => setTimeout(resume, 400));
    return now === (await percent(compared));
  });
  const alone = await percent(main);
  await compared.hover();
  const larger = await percent(compared);
  await page.keyboard.press('+');
  await until('the other one is larger', async () => (await percent(compared)) > larger);
  assert.equal(await percent(main), alone);

  await page.keyboard.press('Escape');
  await compared.waitFor({ state: 'detached' });
  await viewer.waitFor();
});

test('brightness and contrast are changed in the view alone', async (t) => {
  const { baseUrl, nids, page, viewer, stage } = await openPictures(t, [MAP]);
  await page.goto(`${baseUrl}/node/${nids.Map}?view=all&page=1`);
  await stage(viewer).waitFor();
  const light = () =>
    viewer.locator('[data-testid="picture-stage"] .canvas').evaluate((element) => element.style.filter);
  await viewer.getByRole('button', { name: 'Brightness and contrast' }).click();
  const panel = viewer.getByRole('dialog', { name: 'Brightness and contrast' });
  await panel.getByLabel('Brightness').fill('150');
  await panel.getByLabel('Contrast').fill('80');
  assert.equal(await light(), 'brightness(150%) contrast(80%)');
  await accessible(page, 'brightness and contrast');
  await panel.getByRole('button', { name: 'Reset' }).click();
  assert.equal(await light(), '');
  await panel.getByLabel('Contrast').press('Escape');
  await panel.waitFor({ state: 'detached' });
  await viewer.waitFor();
});
