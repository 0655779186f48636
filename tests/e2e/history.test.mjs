import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, retitle, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** More than one page of a history holds. */
const VERSIONS = 120;

test('a long history is read to its beginning', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const item = await rest.createItem('Begun', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  for (let version = 2; version <= VERSIONS; version += 1) {
    const body = JSON.stringify({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: `Changed ${version}` }],
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body });
    assert.equal(answer.status, 200);
  }

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  // One script has saved all of it in one go.
  await page.getByRole('button', { name: `Show ${VERSIONS} saves` }).click();
  const saves = page.getByRole('list', { name: `${VERSIONS} saves` }).getByRole('listitem');
  assert.equal(await saves.count(), VERSIONS);
  await saves.last().getByText(String(item.vid[0].value), { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

/** Changes an item as a script does. */
async function change(rest, nid, fields) {
  const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], ...fields });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

const read = async (rest, nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json();

test('two revisions stand side by side; one field is taken back, or all of it, and that is undone', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const made = await rest.createItem('Isola di Portovecchio', {
    field_model: [{ target_id: model }],
    field_rights: [{ value: 'Out of copyright' }],
  });
  const nid = made.nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await retitle(page, 'Isola di Portovecchio', 'Isola di Portovecchio, con li scogli');
  await change(rest, nid, { field_edtf_date_created: [{ value: '1569/1571~' }], field_rights: [] });

  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History' });
  await history.getByRole('button', { name: /^Created; then .*Rights/ }).click();
  const compare = page.getByTestId('compare');
  const title = compare.getByRole('row', { name: /^Title/ });
  await title.locator('ins', { hasText: ', con li scogli' }).waitFor();
  assert.equal(await title.locator('del').count(), 0);
  await compare
    .getByRole('row', { name: /^Date Created/ })
    .getByText('between 1569 and about 1571')
    .waitFor();
  await compare
    .getByRole('row', { name: /^Rights/ })
    .locator('del', { hasText: 'Out of copyright' })
    .waitFor();
  assert.equal(await compare.getByRole('row', { name: /^Model/ }).count(), 0);
  await accessible(page, 'two revisions side by side');
  await compare.getByRole('checkbox', { name: 'Only differences' }).uncheck();
  await compare.getByRole('row', { name: /^Model/ }).waitFor();

  await compare.getByRole('button', { name: /^Revert Rights to revision/ }).click();
  await page.getByText(/^Reverted Rights to revision/).waitFor();
  const one = await read(rest, nid);
  assert.deepEqual(
    [one.title[0].value, one.field_rights[0].value, one.field_edtf_date_created.length],
    ['Isola di Portovecchio, con li scogli', 'Out of copyright', 1],
  );
  await compare.getByRole('button', { name: /^Revert to revision/ }).click();
  await page.getByText(/^Reverted to revision/).waitFor();
  const all = await read(rest, nid);
  assert.deepEqual([all.title[0].value, all.field_edtf_date_created.length], ['Isola di Portovecchio', 0]);
  await compare.getByText('No differences').or(page.getByText('No differences')).first().waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone:/).waitFor();
  const undone = await read(rest, nid);
  assert.equal(undone.title[0].value, 'Isola di Portovecchio, con li scogli');
  await compare.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('gridcell', { name: 'Isola di Portovecchio, con li scogli' }).waitFor();
});

test('saves that take each other back name what they changed', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const { nid } = await rest.createItem('Caprera', { field_model: [{ target_id: model }] });
  for (const field_rights of [[{ value: 'Out of copyright' }], []])
    await change(rest, nid[0].value, { field_rights });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid[0].value}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Created; then Rights, then set back' }).waitFor();
  await page.getByRole('button', { name: 'Show 3 saves' }).waitFor();
});

test('a replaced file is had again from its versions, and what was done with it is undone', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Digital Document');
  const made = await rest.createItem('Letter', { field_model: [{ target_id: model }] });
  const nid = made.nid[0].value;
  const use = await rest.term('islandora_media_use', 'Original File');
  await rest.upload(nid, 'file', use, 'public://letter.txt', 'text/plain', 'first words');
  const headers = { 'Content-Type': 'text/plain', 'Content-Location': 'public://letter.txt' };
  const path = `/node/${nid}/media/file/${use}`;
  assert.equal((await rest.send('PUT', path, { headers, body: 'other words' })).status, 204);
  const content = async () => (await rest.send('GET', '/sites/default/files/letter.txt')).text();
  assert.equal(await content(), 'other words');

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Letter' }).click();
  await page.getByRole('tab', { name: /Files/ }).click();
  await page.getByRole('button', { name: 'More actions for letter.txt' }).click();
  await page.getByRole('menuitem', { name: 'Versions…' }).click();
  await page.getByText('Version 2').waitFor();
  await accessible(page, 'the versions of a file');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download version 1' }).click(),
  ]);
  assert.equal(await readFile(await download.path(), 'utf8'), 'first words');
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Restored version 1. The other versions are kept.').waitFor();
  await page.getByText('Version 3').waitFor();
  assert.equal(await content(), 'first words');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone: file of “letter.txt”').waitFor();
  assert.equal(await content(), 'other words');

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Replace/ }).click();
  await (
    await chooser
  ).setFiles({
    name: 'letter.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('last words'),
  });
  await page.getByText('Replaced the file of “letter.txt”').waitFor();
  assert.equal(await content(), 'last words');
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: file of “letter.txt”').waitFor();
  assert.equal(await content(), 'other words');
  await page.keyboard.press('Control+Shift+Z');
  await page.getByText('Redone: file of “letter.txt”').waitFor();
  assert.equal(await content(), 'last words');

  assert.equal((await rest.send('PUT', path, { headers, body: 'words of another' })).status, 204);
  await page.keyboard.press('Control+z');
  const question = page.getByTestId('undo-question');
  await question.getByText('letter.txt, 16 byte').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await content(), 'words of another');
});
