import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, pictureIn, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('an empty repository offers a sample to look around in, and takes it away again', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const counts = async () => (await rest.send('GET', '/api/v1/counts')).json();
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Open sample' }).click();
  await page.getByRole('treeitem', { name: 'Sample: an island book' }).waitFor();
  await page.getByText('The sample is ready.').waitFor();
  await pictureIn(page, 'Montalbo');
  // A book shows its first page.
  await pictureIn(page, 'Portolano delle isole, fair copy');
  await page.keyboard.press('Control+2');
  await page.getByRole('row', { name: /Montalbo/ }).waitFor();
  await page.keyboard.press('Control+1');
  await accessible(page, 'the sample');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await accessible(page, 'the keys');
  await page.keyboard.press('Escape');
  assert.equal((await counts()).all, 12);

  await page.reload();
  await page.getByRole('button', { name: 'Remove sample' }).click();
  await page.getByTestId('sample').waitFor({ state: 'detached' });
  assert.equal((await counts()).all, 0);
  const { media } = await (await rest.send('GET', '/api/v1/media')).json();
  assert.deepEqual(media, [], 'its files went with it');
  await page.getByRole('button', { name: 'Open sample' }).waitFor();
});
