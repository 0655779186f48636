import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const back = (page) => page.keyboard.press('Control+z');
const again = (page) => page.keyboard.press('Control+Shift+Z');
const JSON_BODY = { 'Content-Type': 'application/json' };

/** A page of the administrator's. */
async function atDesk(t) {
  const { baseUrl, password, data } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const read = async (path) => (await rest.send('GET', path)).json();
  return { baseUrl, data, page, rest, read };
}

test('what was changed of an account is undone, and asked about where somebody else has changed it', async (t) => {
  const { baseUrl, page, rest, read } = await atDesk(t);
  const { uid } = await rest.create('/api/v1/users', { name: 'mira', password: 'first of Mira' });
  const path = `/api/v1/users/${uid}`;
  const roles = async () => (await read(path)).roles.map(({ name }) => name);
  await page.goto(`${baseUrl}/user/${uid}/edit`);
  await page.getByRole('checkbox', { name: 'Editor' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the account of mira').waitFor();
  await page.getByRole('switch', { name: 'May sign in' }).click();
  await page.getByRole('button', { name: 'Disable account' }).click();
  await page.getByText('mira can no longer sign in').waitFor();
  await back(page);
  await page.getByRole('switch', { name: 'May sign in', checked: true }).waitFor();
  await again(page);
  await page.getByText('Redone: disabled “mira”').waitFor();

  await page.reload();
  await page.getByRole('switch', { name: 'May sign in', checked: false }).waitFor();
  await back(page);
  await page.getByText('Undone: disabled “mira”').waitFor();
  const body = JSON.stringify({ roles: ['administrator'] });
  assert.equal((await rest.send('PATCH', path, { headers: JSON_BODY, body })).status, 200);
  await back(page);
  const question = page.getByTestId('undo-question');
  await question.getByRole('row', { name: /Roles.*administrator.*empty/ }).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await roles(), ['administrator']);
  await back(page);
  await question.getByRole('button', { name: 'Undo anyway' }).click();
  await page.getByText('Undone: Roles of “mira”').waitFor();
  await page.getByRole('checkbox', { name: 'Editor', checked: false }).waitFor();
  assert.deepEqual(await roles(), []);
});

test('a watched folder that was removed comes back with its rule, its pause and what is known of its files', async (t) => {
  const { baseUrl, data, page, rest, read } = await atDesk(t);
  const path = join(data, 'incoming', 'scans');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'one.txt'), 'one');
  const { id } = await rest.create('/api/v1/watched-folders', { path, settle_seconds: 0.5 });
  const folder = () => read(`/api/v1/watched-folders/${id}`);
  await until('the file is in', async () => (await folder()).counts.done === 1);
  await page.goto(`${baseUrl}/admin/watched/${id}`);
  await page.getByRole('button', { name: '0.5 seconds. Edit' }).click();
  await page.getByLabel('Unchanged for (seconds)').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the rule of scans').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. No files are added until you resume.').waitFor();
  await page.getByTestId('folder-menu').click();
  await page.getByRole('menuitem', { name: 'Stop watching…' }).click();
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await page.getByText('No watched folders yet').waitFor();

  await page.reload();
  await page.getByText('No watched folders yet').waitFor();
  await back(page);
  await page.getByText('Undone: stopped watching “scans”').waitFor();
  await page.getByText('Paused. No files are added until you resume.').waitFor();
  const { paused, rule, counts } = await folder();
  assert.deepEqual([paused, rule.settle_seconds, counts.done], [true, 7, 1]);
  await back(page);
  await page.getByText('Undone: paused “scans”').waitFor();
  const body = JSON.stringify({ settle_seconds: 9 });
  await rest.send('PATCH', `/api/v1/watched-folders/${id}`, { headers: JSON_BODY, body });
  await back(page);
  const question = page.getByTestId('undo-question');
  await question.getByRole('row', { name: /Unchanged for.*9.*0\.5/ }).waitFor();
  await question.getByRole('button', { name: 'Undo anyway' }).click();
  await page.getByText('Undone: rule of “scans”').waitFor();
  assert.equal((await folder()).rule.settle_seconds, 0.5);
});

test('a folder that is watched by mistake is let go again, but not with somebody else’s rule', async (t) => {
  const { baseUrl, data, page, rest, read } = await atDesk(t);
  const path = join(data, 'incoming', 'scans');
  await mkdir(path, { recursive: true });
  await page.goto(`${baseUrl}/admin/watched?new`);
  await page.getByLabel('Folder', { exact: true }).fill(path);
  await page.getByRole('button', { name: 'Watch folder' }).click();
  await page.getByText('Watching scans').waitFor();
  await back(page);
  await page.getByText('No watched folders yet').waitFor();
  await again(page);
  await page.getByRole('heading', { name: 'scans' }).waitFor();
  const [{ id }] = (await read('/api/v1/watched-folders')).folders;
  const body = JSON.stringify({ published: true });
  await rest.send('PATCH', `/api/v1/watched-folders/${id}`, { headers: JSON_BODY, body });
  await back(page);
  await page.getByText('The rule of “scans” was changed in the meantime.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await read(`/api/v1/watched-folders/${id}`)).rule.published, true);
});
