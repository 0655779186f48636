import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, sendPassword } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** This machine plays the network. */
const ON_LAN = '[lan]\nenabled = true\naddress = "127.0.0.2"\nannounce = false\n';

const sessionCookie = async (page) =>
  (await page.context().cookies()).find(({ name }) => name.includes('SESS'));

test('a wrong password says how many tries are left, and a session may end with the browser', async (t) => {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await sendPassword(page, baseUrl, 'a guess');
  await page.getByText('Name or password is wrong.').waitFor();
  await page.getByText(/4 tries left before a pause of 15 minutes\.$/).waitFor();
  await accessible(page, 'a refused password');
  await page.getByRole('checkbox', { name: 'Keep me signed in on this computer', checked: true }).uncheck();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByTestId('session-menu').waitFor({ state: 'attached' });
  assert.equal((await sessionCookie(page)).expires, -1);

  const kept = await openBrowser(t);
  await sendPassword(kept, baseUrl, password);
  await kept.getByTestId('session-menu').waitFor({ state: 'attached' });
  assert.ok((await sessionCookie(kept)).expires > Date.now() / 1000 + 86_400);
});

test('the sign-in page tells its certificate and changes its language', async (t) => {
  const { baseUrl, password } = await serve(t, ON_LAN);
  const rest = new Rest(baseUrl, password);
  const { lan } = await (await rest.send('GET', '/api/v1/server')).json();
  const { fingerprint } = lan.serving.certificate;
  const page = await openBrowser(t, { ignoreHTTPSErrors: true });
  await page.goto(`${lan.serving.urls[0]}/user/login`);
  const short = `${fingerprint.slice(0, 11)} … ${fingerprint.slice(-11)}`;
  await page.getByTestId('short-fingerprint').getByText(short).waitFor();
  await page.getByText('Your browser and the screen of the archive show the same.').waitFor();
  await accessible(page, 'sign-in over the network');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await page.goto(`${baseUrl}/user/login`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.equal(await page.getByTestId('short-fingerprint').count(), 0);
});
