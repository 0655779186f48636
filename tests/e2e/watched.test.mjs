import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { makeCollection, openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A folder that may be watched, with files in it: name → content. */
async function folderWith(data, name, files) {
  const folder = join(data, 'incoming', name);
  await mkdir(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  return folder;
}

const openPage = (page) => page.getByRole('button', { name: /^Watched folders/ }).click();
const sheet = (page) => page.getByRole('dialog');
const tab = (page, name) => page.getByRole('tab', { name });

test('an administrator watches a folder after seeing what it would bring, mends a failure, and stops', async (t) => {
  const { baseUrl, password, data } = await serve(t, '[files]\nlisted_extensions_only = true\n');
  const scans = await folderWith(data, 'scans', { 'page 2.txt': 'two', 'page 10.txt': 'ten', 'a.exe': 'x' });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await makeCollection(page, 'From the scanner');
  await openPage(page);
  await page.getByText('No watched folders yet').waitFor();
  await accessible(page, 'no folder');

  await page.getByRole('button', { name: 'Watch a folder…' }).first().click();
  const path = page.getByLabel('Folder', { exact: true });
  const incoming = join(data, 'incoming');
  await sheet(page).getByText(`Allowed: ${incoming}, and folders in them.`).waitFor();
  const offered = await path.evaluate(({ list }) => [...list.options].map(({ value }) => value));
  assert.deepEqual(offered, [incoming]);
  await path.fill(dirname(data));
  await page.keyboard.press('Tab');
  await sheet(page)
    .getByText(`${dirname(data)} is not allowed. Choose it in the window on that machine`)
    .waitFor();
  await accessible(page, 'a folder that is not allowed');
  await path.fill(scans);
  await page.getByRole('combobox', { name: 'Collection' }).fill('scanner');
  await page.getByRole('option', { name: /From the scanner/ }).click();
  const dryRun = page.getByTestId('dry-run');
  await dryRun.getByRole('row', { name: /page 2\.txt.*page 2.*Digital Document/ }).waitFor();
  await dryRun.getByText('1 file needs attention').waitFor();
  await accessible(page, 'a new rule with its dry run');
  assert.deepEqual((await readdir(scans)).sort(), ['a.exe', 'page 10.txt', 'page 2.txt']);
  await page.getByRole('button', { name: 'Watch folder' }).click();

  await page.getByText('Watching scans').waitFor();
  await tab(page, /^2 added/).click();
  await page.getByRole('link', { name: 'page 10' }).waitFor();
  await accessible(page, 'added files');
  await tab(page, /^1 need attention/).click();
  await page.getByText('The repository takes no files that end in .exe.').waitFor();
  await accessible(page, 'what needs somebody');

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. No files are added until you resume.').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await writeFile(join(scans, 'page 11.txt'), 'eleven');
  await tab(page, /^3 added/).click();
  await page.getByRole('link', { name: 'page 11' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('textbox', { name: 'Title' }).waitFor();
  assert.equal(await inspector.getByRole('textbox', { name: 'Title' }).inputValue(), 'page 11');

  await openPage(page);
  await page.getByTestId('folder-menu').click();
  await page.getByRole('menuitem', { name: 'Stop watching…' }).click();
  await sheet(page).getByText('The files in the folder and the items in the repository are kept').waitFor();
  await accessible(page, 'the question whether to stop');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await page.getByText('No watched folders yet').waitFor();
  assert.equal(await readFile(join(scans, 'page 2.txt'), 'utf8'), 'two');
  await page.getByRole('treeitem', { name: 'From the scanner' }).click();
  await page.getByRole('gridcell', { name: 'page 10' }).waitFor();
});

test('failures are retried one by one and all at once when their cause is mended', async (t) => {
  const { baseUrl, password, data } = await serve(t);
  const broken = {
    'a.txt': 'a',
    'a.json': '{"title": ',
    'b.txt': 'b',
    'b.json': '[]',
    'c.txt': 'c',
    'c.json': '1',
  };
  const folder = await folderWith(data, 'export', broken);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/watched-folders', { path: folder, settle_seconds: 0.5 });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await openPage(page);
  await page.getByTestId('rule-sentence').waitFor();
  await tab(page, /^3 need attention/).click();
  await page.getByText(/The description a\.json cannot be read/).waitFor();

  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.json`), '{}').catch(() => {});
  for (const name of ['a', 'b', 'c']) {
    const moved = join(folder, 'failed', `${name}.json`);
    await readFile(moved).then(
      () => writeFile(moved, '{}'),
      () => {},
    );
  }
  await page.getByRole('button', { name: 'Retry a.txt' }).click();
  await tab(page, /^2 need attention/).waitFor();
  await tab(page, /^1 added/).waitFor();
  await page.getByRole('button', { name: 'Retry all 2' }).click();
  await tab(page, /^3 added/).click();
  await page.getByRole('link', { name: 'c', exact: true }).waitFor();
  await tab(page, /^0 need attention/).waitFor();
});

test('a rule is changed at the part of its sentence that is pressed, by keys alone', async (t) => {
  const { baseUrl, password, data } = await serve(t);
  const rest = new Rest(baseUrl, password);
  for (const name of ['first', 'second']) {
    await rest.create('/api/v1/watched-folders', { path: await folderWith(data, name, {}) });
  }
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/admin/watched`);
  await page.getByRole('link', { name: /^first/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'second' }).waitFor();
  await page.getByRole('button', { name: 'Public. Edit' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Visibility').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByText('The folder is empty. New files in it become items.').waitFor();
  await page.keyboard.press('Escape');
  await sheet(page).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: '3 seconds. Edit' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Unsaved draft.').waitFor();
  await page.getByLabel('Unchanged for (seconds)').and(page.locator(':focus')).fill('0');
  await page.keyboard.press('Enter');
  await sheet(page).getByText('This must be a number from 0.1 to 86400.').waitFor();
  await page.getByLabel('Unchanged for (seconds)').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the rule of second').waitFor();
  const sentence = await page.getByTestId('rule-sentence').textContent();
  assert.match(sentence, /not changed for 7 seconds.*visibility Staff only/);
});

test('a rule gives every item values, of terms that are there and of some that are not yet', async (t) => {
  const { baseUrl, password, data } = await serve(t);
  const folder = await folderWith(data, 'maps', { 'isola.txt': 'x' });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/admin/watched?new`);
  await page.getByLabel('Folder', { exact: true }).fill(folder);
  await page.getByLabel('Create missing terms').check();
  await page.getByTestId('add-value').click();
  await page.getByRole('combobox', { name: 'Add value' }).fill('Language');
  await page.getByRole('option', { name: /field_language/ }).click();
  await page.getByRole('combobox', { name: 'Value of Language' }).fill('Itali');
  await page.keyboard.press('Tab');
  await page.getByText('Nothing is called “Itali”.').or(page.getByText('create “Itali”')).waitFor();
  await page.getByRole('combobox', { name: 'Value of Language' }).fill('italian');
  await page.keyboard.press('Tab');
  await page.getByTestId('add-value').click();
  await page.getByRole('combobox', { name: 'Add value' }).fill('Contributors');
  await page.getByRole('option', { name: /field_linked_agent/ }).click();
  await page.getByRole('combobox', { name: 'Value of Contributors' }).fill('Ruiz, Marta');
  await page.getByRole('option', { name: /“Ruiz, Marta” in Person/ }).click();
  await accessible(page, 'values for every item');
  await page.getByRole('button', { name: 'Watch folder' }).click();
  await tab(page, /^1 added/).waitFor();

  const rest = new Rest(baseUrl, password);
  const node = await until('the item is described', async () => {
    const { items } = await (await rest.send('GET', '/api/v1/items?q=isola')).json();
    return (await rest.send('GET', `/node/${items[0].nid}?_format=json`)).json();
  });
  assert.equal(node.field_linked_agent[0].rel_type, 'relators:ctb');
  assert.equal(node.field_linked_agent[0].target_id, await rest.term('person', 'Ruiz, Marta'));
  assert.equal(node.field_language.length, 1);
});

test('thousands of waiting files are a few rows in the page, wherever it is scrolled to', async (t) => {
  const { baseUrl, password, data } = await serve(t);
  const files = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`frame ${index}.txt`, 'x']));
  const folder = await folderWith(data, 'frames', files);
  const rest = new Rest(baseUrl, password);
  await rest.create('/api/v1/watched-folders', { path: folder, settle_seconds: 3600 });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await openPage(page);
  await tab(page, /^3,000 waiting/).click();
  const list = page.getByRole('group', { name: 'waiting' }).last();
  const rows = list.getByRole('listitem');
  await rows.filter({ hasText: /frame/ }).first().waitFor();
  const seen = new Set();
  await until('the end is reached', async () => {
    for (const text of await rows.allTextContents()) seen.add(/frame \d+/.exec(text)?.[0]);
    assert.ok((await rows.count()) < 80, `${await rows.count()} rows`);
    return list.evaluate((element) => {
      element.scrollTop += element.clientHeight * 4;
      return (
        element.scrollTop + element.clientHeight >= element.scrollHeight - 1 && element.scrollHeight > 90_000
      );
    });
  });
  assert.ok(seen.size > 500, `${seen.size} files seen`);
  await page.getByRole('button', { name: 'Back to newest' }).click();
  await rows.filter({ hasText: /frame/ }).first().waitFor();
});

test('others are not shown the watched folders', async (t) => {
  const { baseUrl } = await serve(t);
  const page = await openBrowser(t);
  await page.goto(`${baseUrl}/admin/watched`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await page
    .getByText('Only administrators can see watched folders.')
    .or(page.getByText('Sign in to see this.'))
    .waitFor();
  assert.equal(await page.getByRole('button', { name: /^Watched folders/ }).count(), 0);
});
