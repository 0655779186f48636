import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addScan,
  makeCollection,
  openBrowser,
  pictureIn,
  retitle,
  signIn,
  signOut,
  sendPassword,
} from '../support/browser.mjs';
import { serve } from '../support/serve.mjs';

test('somebody signs in, makes a collection, adds a scan, changes its title and signs out', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);

  await makeCollection(page, 'Maps of the islands');
  await addScan(page, 'Isola nova');
  await pictureIn(page, 'Isola nova');
  await retitle(page, 'Isola nova', 'Isola nuova, 1571');

  await page.reload();
  await page.getByRole('treeitem', { name: 'Maps of the islands' }).click();
  await pictureIn(page, 'Isola nuova, 1571');

  await signOut(page);
  const session = await page.request.get(`${baseUrl}/api/v1/session`);
  assert.equal((await session.json()).user, null);
});

test('a wrong password is refused in words, beside the form', async (t) => {
  const { baseUrl } = await serve(t);
  const page = await openBrowser(t);
  await sendPassword(page, baseUrl, 'not the password');
  await page.getByText('Check name and password, then try again.').waitFor();
});
