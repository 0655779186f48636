import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** A repository with one item and its file, and a page that has signed in. */
async function withItem(t) {
  const { baseUrl, password, data } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Digital Document');
  const item = await rest.createItem('Chart', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  const original = await rest.term('islandora_media_use', 'Original File');
  await rest.upload(nid, 'document', original, 'public://chart.txt', 'text/plain', 'bytes');
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Chart' }).waitFor();
  return { page, rest, nid, data, baseUrl };
}

test('what happened is told as it happens, narrowed, and leads to what it happened to', async (t) => {
  const { page, rest, nid } = await withItem(t);
  await page.getByRole('button', { name: 'Activity' }).click();
  const table = page.getByRole('table', { name: 'Activity' });
  await table.getByRole('row', { name: /admin added Chart API or browser/ }).waitFor();
  await accessible(page, 'what happened');

  await rest.send('DELETE', `/node/${nid}?_format=json`);
  await table.getByRole('row', { name: /deleted Chart/ }).waitFor();
  const made = await rest.createItem('Plan', {
    field_model: [{ target_id: await rest.term('islandora_models', 'Image') }],
  });
  await table.getByRole('row', { name: /added Plan/ }).waitFor();

  await page.getByLabel('Action').selectOption('Deleted');
  await table.getByRole('row', { name: /added/ }).first().waitFor({ state: 'detached' });
  await table.getByRole('row', { name: /deleted Chart/ }).waitFor();
  await page.getByLabel('Source').selectOption('Watched folder');
  await page.getByText('No matching activity').waitFor();
  await accessible(page, 'nothing that happened');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await table.getByRole('link', { name: 'Plan' }).click();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  assert.match(page.url(), new RegExp(`/node/${made.nid[0].value}$`));
});

test('what happened in a collection is told alone, and saved as a table', async (t) => {
  const { page, rest, baseUrl } = await withItem(t);
  const of = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const maps = await rest.createItem('Maps', { field_model: await of('Collection') });
  const inside = { field_member_of: [{ target_id: maps.nid[0].value }] };
  await rest.createItem('Atoll', { field_model: await of('Image'), ...inside });
  await page.goto(`${baseUrl}/?view=all`);
  await page.getByRole('treeitem', { name: 'Maps' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  const table = page.getByRole('table', { name: 'Activity' });
  await table.getByRole('row', { name: /added Atoll/ }).waitFor();
  assert.equal(await table.getByRole('row', { name: /added/ }).count(), 2);
  await accessible(page, 'what happened in a collection');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV…' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
  assert.match(lines[0], /^time,person,origin,action,kind,id,label/);
  assert.match(lines[1], /,admin,rest,create,node,\d+,Atoll,/);
  assert.equal(lines.length, 3);
  await page.getByRole('button', { name: 'Show all collections' }).click();
  await table.getByRole('row', { name: /added Chart/ }).waitFor();
  assert.match(page.url(), /\/admin\/activity$/);
});

test('files are verified and backed up when somebody asks for it', async (t) => {
  const { page, data, baseUrl } = await withItem(t);
  await page.goto(`${baseUrl}/admin/health`);
  await page.getByRole('region', { name: 'Health' }).getByText('No backup yet').waitFor();
  await page
    .getByText(/ free of /)
    .first()
    .waitFor();
  await page.getByText('No processing errors').waitFor();
  await accessible(page, 'how the repository is');

  await page.getByTestId('backup-folder').fill('somewhere');
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByRole('alert').filter({ hasText: 'full path' }).waitFor();
  await page.getByTestId('backup-folder').fill(join(dirname(data), 'backup'));
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByRole('alert').filter({ hasText: 'is not allowed. Choose it in the window' }).waitFor();
  const folder = join(data, 'backups', 'by hand');
  await page.getByTestId('backup-folder').fill(folder);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText(/Last backup .* ago/).waitFor();
  await access(join(folder, 'isolario-backup.json'));

  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('1 file. All checked and intact.').first().waitFor();
  await page.getByText(/Last full check .*: 1 file/).waitFor();
  await accessible(page, 'after a backup and a check');
});
