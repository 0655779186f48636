import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const PASSWORD = 'a password of theirs';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a secret in base 32, so many times 30 seconds from now (RFC 6238, SHA-1, six digits). */
function codeOf(secret, steps = 0) {
  const bits = [...secret].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('somebody sets up a second factor, signs in with it, and an administrator takes it away', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const { uid } = await rest.create('/api/v1/users', { name: 'mira', password: PASSWORD, roles: ['editor'] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, PASSWORD, 'mira');
  await page.goto(`${baseUrl}/user/${uid}`);
  await page.getByRole('button', { name: 'Set up…' }).click();
  const dialog = page.getByTestId('set-up-second-factor');
  const secret = await dialog.locator('code').textContent();
  await accessible(page, 'the second factor is set up');
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('This is not the present code').waitFor();
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('On: signing in by password needs a code').waitFor();

  const other = await openBrowser(t);
  await other.goto(`${baseUrl}/user/login`);
  await other.getByLabel('Name').fill('mira');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByLabel('Code').fill('000000');
  await accessible(other, 'the code is asked for');
  await other.keyboard.press('Enter');
  await other.getByText('This code is wrong').waitFor();
  await other.getByLabel('Code').fill(codeOf(secret, 1));
  await other.keyboard.press('Enter');
  await other.getByRole('treeitem', { name: 'All items' }).waitFor();
  const basic = await new Rest(baseUrl, PASSWORD, 'mira').send('GET', '/api/v1/items');
  assert.equal(basic.status, 401);

  const admin = await openBrowser(t);
  await signIn(admin, baseUrl, password);
  await admin.goto(`${baseUrl}/user/${uid}/edit`);
  await admin.getByRole('button', { name: 'Turn off…' }).click();
  await admin.getByTestId('remove-second-factor').getByRole('button', { name: 'Turn off' }).click();
  await admin.getByText('“mira” signs in by password alone').waitFor();
  assert.equal((await new Rest(baseUrl, PASSWORD, 'mira').send('GET', '/api/v1/items')).status, 200);
});
