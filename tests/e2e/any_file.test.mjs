import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { dropFiles } from '../support/drop.mjs';
import { makeFolder, removeFolder } from '../support/program.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** Says so to every page around it, and makes an item, if it runs. */
const HOSTILE = `<!doctype html><title>runs</title><script>window.top.ran = true; fetch('/node', { method: 'POST' });</script>`;
const flac = await readFile(new URL('../samples/recordings/cover.flac', import.meta.url));

/** Name, bytes, MIME type, the words for it, and what its item is. */
const FILES = [
  ['table.csv', 'port,ships\nRimini,3\n', 'text/csv', 'Comma-separated values', 'Digital Document'],
  ['letter.eml', 'Subject: Ships\n\nThree came.\n', 'message/rfc822', 'E-mail', 'Digital Document'],
  ['notes.md', '# Ships\n', 'text/markdown', 'Markdown text', 'Digital Document'],
  ['page.html', HOSTILE, 'text/html', 'Web page (HTML)', 'Digital Document'],
  ['data.json', '{"ships": 3}', 'application/json', 'JSON data', 'Binary'],
  ['photo.heic', '\0\0\0\x18ftypheic\0\0\0\0', 'image/heic', 'HEIC picture', 'Image'],
  ['photo.dng', 'II*\0\x08\0\0\0\0\0', 'image/x-adobe-dng', 'Camera raw (DNG)', 'Image'],
  ['bell.flac', flac, 'audio/flac', 'FLAC audio', 'Audio'],
  ["odd; %2e'è.x-y", `GIF89a${HOSTILE}`, 'application/octet-stream', 'X-Y file', 'Binary'],
  ['LOGBOOK', 'Ships came.\n', 'application/octet-stream', 'Unknown format', 'Binary'],
];

async function folderOf(t, files) {
  const home = await makeFolder();
  t.after(() => removeFolder(home));
  const folder = join(home, 'Box');
  await mkdir(folder);
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes, 'latin1');
  return files.map(([name]) => join(folder, name));
}

/** The media of the item whose file has a name. */
async function mediaOf(rest, name) {
  const { items } = await (await rest.send('GET', '/api/v1/items?limit=50')).json();
  for (const { nid, model } of items) {
    const { media } = await (await rest.send('GET', `/api/v1/items/${nid}/media`)).json();
    const found = media.find(({ file }) => file?.filename === name);
    if (found) return { nid, model: model?.name, media: found };
  }
  return assert.fail(`${name} is not there`);
}

test('any file that is dropped is kept, named in words, shown as text or not at all, and runs nowhere', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByText('Drop files or folders here').waitFor();
  const sheet = page.getByTestId('drop-sheet');

  await dropFiles(page, page.getByRole('main'), await folderOf(t, [...FILES, ['empty.csv', '']]));
  await sheet.getByText('10 new items').waitFor();
  for (const [name, , , words] of FILES)
    await sheet.getByRole('row').filter({ hasText: name }).getByText(words, { exact: true }).waitFor();
  await sheet.getByTestId('left-out').getByText('The file is empty.').waitFor();
  await accessible(page, 'a drop of any files');
  await page.getByRole('button', { name: 'Add 10 items' }).click();
  await page.getByText('Added 10 items').waitFor();

  for (const [name, bytes, mime, words, model] of FILES) {
    const found = await mediaOf(rest, name);
    assert.equal(found.media.mime, mime, name);
    assert.equal(found.model, model, name);
    const answer = await rest.send('GET', found.media.file.download_url);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(bytes, 'latin1'), name);
    await page.goto(`${baseUrl}/node/${found.nid}?tab=files`);
    await page.getByTestId('media').getByText(words).waitFor();
  }

  const view = async (name) =>
    page.goto(`${baseUrl}/node/${(await mediaOf(rest, name)).nid}?view=all&page=1`);
  for (const [name, words] of [
    ['table.csv', 'Rimini,3'],
    ['letter.eml', 'Three came.'],
    ['page.html', 'window.top.ran = true'],
  ]) {
    await view(name);
    await page.getByTestId('written').getByText(words).waitFor();
  }
  assert.equal(await page.evaluate(() => 'ran' in window), false);
  await view('bell.flac');
  const heard = () => document.querySelector('[data-testid=viewer] audio')?.readyState >= 1;
  await page.waitForFunction(heard);
  await view("odd; %2e'è.x-y");
  const none = page.getByTestId('not-shown');
  await none.getByText(/X-Y file · \d+ bytes/).waitFor();
  await none.getByRole('link', { name: 'Download' }).waitFor();
  await accessible(page, 'a file of a format that nobody knows');
});
