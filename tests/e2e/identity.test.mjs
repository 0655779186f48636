import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { serve } from '../support/serve.mjs';

const PICTURE = fileURLToPath(new URL('../samples/20x10.png', import.meta.url));
const NAME = 'Port Museum Archive';
/** Whether the mark of the repository is a picture of these proportions that was really painted. */
const isWide = (image) => image.complete && image.naturalWidth === 2 * image.naturalHeight;

async function waitForPicture(page) {
  await page.waitForFunction(isWide, await page.getByTestId('repository-mark').first().elementHandle());
}

test('the repository has a name and a picture, which everybody sees before signing in', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('link', { name: 'Name this repository…' }).click();
  await page.getByRole('textbox', { name: 'Name of the repository' }).fill(` ${NAME} `);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByTestId('session-menu').getByText(NAME).waitFor();
  await page.waitForFunction((title) => document.title === title, `${NAME} · Isolario`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a picture…' }).click();
  await (await chooser).setFiles(PICTURE);
  await waitForPicture(page);
  await accessible(page, 'name and picture');

  const stranger = await openBrowser(t);
  await stranger.goto(baseUrl);
  await stranger.getByRole('heading', { name: NAME }).waitFor();
  await waitForPicture(stranger);
  await accessible(stranger, 'sign-in with a name');
  const font = await stranger
    .getByRole('heading', { name: NAME })
    .evaluate((h) => getComputedStyle(h).fontFamily);
  assert.match(font, /^"EB Garamond/);

  await page.getByTestId('repository-picture').setInputFiles({
    name: 'no.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  });
  await page.getByText('This browser cannot read that picture.').waitFor();
  await page.getByRole('button', { name: 'Remove the picture' }).click();
  await page.getByText('Picture removed').waitFor();
  await page.goto(baseUrl);
  await page.getByRole('main').getByText(NAME, { exact: true }).waitFor();
});
