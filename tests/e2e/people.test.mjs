import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, sendPassword, signIn } from '../support/browser.mjs';
import { serve } from '../support/serve.mjs';

const FIRST = 'first of Mira';
const SECOND = 'second of Mira';

async function openPeople(page) {
  await page.getByTestId('session-menu').click();
  await page.getByRole('menuitem', { name: 'People' }).click();
  await page.getByRole('table', { name: 'People' }).waitFor();
}

async function addEditor(page, name, password) {
  await page.getByRole('button', { name: 'New account…' }).click();
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('checkbox', { name: 'Editor' }).check();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('There is already a user admin.').waitFor();
  await page.getByLabel('Name').fill(name);
  assert.equal(await page.getByText('There is already a user admin.').count(), 0, 'it is another name now');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('row', { name: new RegExp(`${name}.*Editor.*Active`) }).waitFor();
}

async function changeOwnPassword(page, current, next) {
  await page.getByTestId('session-menu').click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Edit account…' }).click();
  await page.getByLabel('New password').fill(next);
  await page.getByLabel('Current password').fill('wrong');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This is not your current password.').waitFor();
  await page.getByLabel('Current password').fill(current);
  assert.equal(await page.getByText('This is not your current password.').count(), 0, 'it is another now');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the account of mira').waitFor();
}

async function userOf(page, baseUrl) {
  const session = await page.request.get(`${baseUrl}/api/v1/session`);
  return (await session.json()).user?.name ?? null;
}

test('an administrator makes an account, its user changes the password, and it is disabled', async (t) => {
  const { baseUrl, password } = await serve(t);
  const desk = await openBrowser(t);
  await signIn(desk, baseUrl, password);
  await openPeople(desk);
  await addEditor(desk, 'mira', FIRST);

  const other = await openBrowser(t);
  await signIn(other, baseUrl, FIRST, 'mira');
  await changeOwnPassword(other, FIRST, SECOND);
  await other.getByRole('treeitem', { name: 'All items' }).click();
  assert.equal(await userOf(other, baseUrl), 'mira', 'still signed in after the change');
  await other.goto(`${baseUrl}/admin/people`);
  await other.getByText('You need permission to manage users to see this list.').waitFor();

  await desk.getByRole('link', { name: 'mira' }).click();
  await desk.getByRole('switch', { name: 'May sign in' }).click();
  await desk.getByRole('dialog').getByText('The account is not deleted').waitFor();
  await desk.getByRole('button', { name: 'Disable account' }).click();
  await desk.getByRole('switch', { name: 'May sign in', checked: false }).waitFor();
  assert.equal(await userOf(other, baseUrl), null);
  await sendPassword(other, baseUrl, SECOND, 'mira');
  await other.getByText('Check name and password, then try again.').waitFor();

  await desk.getByRole('switch', { name: 'May sign in' }).click();
  await desk.getByRole('switch', { name: 'May sign in', checked: true }).waitFor();
  await signIn(other, baseUrl, SECOND, 'mira');
  await other.getByTestId('session-menu').waitFor();
});
