import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, sendPassword, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** What a service is answered that asks who it is by a token. */
async function session(baseUrl, token) {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${baseUrl}/api/v1/session`, { headers });
  return { status: response.status, user: response.ok ? (await response.json()).user.name : null };
}

/** Makes a token in the dialog that is open; the text that is shown once. */
async function issue(page, name, scope = 'all') {
  const dialog = page.getByTestId('new-token');
  await dialog.getByLabel('Permits').selectOption(scope);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await dialog.getByText(/^isolario_\w{43}$/).textContent();
  await accessible(page, 'the new token');
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  await page.getByText('Copied').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return token;
}

test('a token is made on the Server page, lets a service in, and is revoked at once', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/users', { name: 'scanner', password: 'exchanged', roles: ['editor'] });
  const page = await openBrowser(t, CLIPBOARD);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByTestId('token-account').click();
  await page.getByRole('option', { name: 'scanner' }).click();
  await accessible(page, 'making a token');
  const token = await issue(page, 'Scanner room', 'read');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
  assert.deepEqual(await session(baseUrl, token), { status: 200, user: 'scanner' });
  const line = page.getByTestId('tokens').getByRole('listitem').filter({ hasText: 'Scanner room' });
  await line.getByText(/^Expires .*20\d\d/).waitFor();
  await page.reload();
  await line.getByText('Used just now').waitFor();
  await line.getByText('Read only').waitFor();
  await line.getByText('from 127.0.0.1').waitFor();
  await accessible(page, 'the list of tokens');

  await line.getByRole('button', { name: 'Revoke Scanner room' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await session(baseUrl, token)).status, 200);
  await line.getByRole('button', { name: 'Revoke Scanner room' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await line.waitFor({ state: 'detached' });
  assert.deepEqual(await session(baseUrl, token), { status: 401, user: null });
  await page.goto(`${baseUrl}/admin/activity`);
  await page.getByRole('row', { name: /admin revoked the token Scanner room/ }).waitFor();
});

test('somebody makes a token of their own on their profile, and a taken name is said beside it', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/users', { name: 'mira', password: 'first word', roles: [] });
  const page = await openBrowser(t, CLIPBOARD);
  await sendPassword(page, baseUrl, 'first word', 'mira');
  await page.getByTestId('session-menu').click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByText('No tokens yet.').waitFor();
  await page.getByRole('button', { name: 'New token…' }).click();
  assert.equal(await page.getByTestId('token-account').count(), 0, 'only for herself');
  const token = await issue(page, 'Workbench');
  assert.deepEqual(await session(baseUrl, token), { status: 200, user: 'mira' });
  await accessible(page, 'profile with a token');
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Workbench');
  await page.keyboard.press('Enter');
  const taken = page.getByText('There is already a token Workbench of this account.');
  await taken.waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Workbench 2');
  assert.equal(await taken.count(), 0, 'it is another name now');
  await page.keyboard.press('Escape');
  await page.getByTestId('new-token').waitFor({ state: 'detached' });
});

test('a token for a collection is made in the dialog, and the list says which', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Collection');
  await rest.createItem('Maps', { field_model: [{ target_id: model }] });
  const page = await openBrowser(t, CLIPBOARD);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('button', { name: 'New token…' }).click();
  const dialog = page.getByTestId('new-token');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Scanner room');
  await dialog.getByLabel('Permits').selectOption('collection');
  assert.ok(await dialog.getByRole('button', { name: 'Create token' }).isDisabled());
  await dialog.getByRole('combobox', { name: 'Collection' }).fill('Map');
  await page.getByRole('option', { name: /^Maps/ }).click();
  await accessible(page, 'a token for a collection');
  await issue(page, 'Scanner room', 'collection');
  await page.getByTestId('tokens').getByText('Changes “Maps” only').waitFor();
});
