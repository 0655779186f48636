import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** Nobody else hears of it: this machine plays the network. Other files have other addresses: their ports are not ours. */
const ALONE = '[lan]\naddress = "127.0.0.1"\nannounce = false\n';

test('an administrator switches LAN access on and off, and sees who asks for what', async (t) => {
  const { baseUrl, password } = await serve(t, ALONE);
  const page = await openBrowser(t, { ignoreHTTPSErrors: true });
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Server', exact: true }).click();
  await page.getByText('Only this computer can open the repository.').waitFor();
  await page.getByRole('switch', { name: 'LAN access', checked: false }).click();
  await page.getByRole('switch', { name: 'LAN access', checked: true }).waitFor();
  const address = await page.getByText(/^https:\/\/127\.0\.0\.1:\d+$/).textContent();
  await page.getByRole('img', { name: `QR code of ${address}` }).waitFor();
  const fingerprint = await page.getByTestId('fingerprint').getAttribute('aria-label');
  assert.match(fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  await page.getByRole('row', { name: /PATCH\s+\/api\/v1\/server/ }).waitFor();

  const colleague = await openBrowser(t, { ignoreHTTPSErrors: true });
  await signIn(colleague, address, password);
  await colleague.getByRole('button', { name: 'Server LAN on' }).click();
  await colleague.getByText('You are connected over the network').waitFor();
  const [cookie] = (await colleague.context().cookies()).filter(({ name }) => name.includes('SESS'));
  assert.deepEqual([cookie.secure, cookie.httpOnly, cookie.name.slice(0, 5)], [true, true, 'SSESS']);
  await colleague.getByRole('switch', { name: 'LAN access', checked: true }).click();
  await colleague.getByRole('switch', { name: 'LAN access', checked: false }).waitFor();
  await assert.rejects(colleague.request.get(address));
  await page.getByRole('switch', { name: 'LAN access', checked: false }).waitFor();
});

test('the Server page counts who may sign in and what was asked, and names who guesses', async (t) => {
  const { baseUrl, password } = await serve(t, ALONE);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/users', { name: 'mira', password: 'first word', roles: [] });
  const { token } = await rest.create('/api/v1/tokens', { name: 'Scanner room' });
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${baseUrl}/api/v1/counts`, { headers })).status, 200);
  const guess = new Rest(baseUrl, 'a guess', 'mira');
  for (const number of [1, 2]) assert.equal((await guess.send('GET', '/user/1')).status, 401, number);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('row', { name: 'Password For people and scripts Yes Off 2' }).waitFor();
  await page.getByRole('row', { name: 'Token For services, one each Yes Off 1' }).waitFor();
  await page.getByRole('row', { name: 'Without signing in Public items only Reads Off' }).waitFor();
  await page.getByRole('row', { name: /Scanner room GET \/api\/v1\/counts 200/ }).waitFor();
  await page.getByText(/^\d+ in the last hour, 2 refused\.\s+Here now: admin\.$/).waitFor();
  await page.getByText('127.0.0.1 gave a wrong password twice.').waitFor();
  await page
    .getByRole('row', { name: /127\.0\.0\.1 mira/ })
    .first()
    .waitFor();
  await page.getByText('Healthy').waitFor();
  await accessible(page, 'the server');
  await page.getByRole('link', { name: 'Back up now' }).click();
  await page.getByTestId('backup-folder').waitFor();
});

test('others are not shown the server', async (t) => {
  const { baseUrl } = await serve(t);
  const page = await openBrowser(t);
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await page.getByRole('button', { name: 'Vocabularies' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Server', exact: true }).count(), 0);
});
