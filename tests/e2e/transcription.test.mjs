import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { hold } from '../support/hold.mjs';
import { Rest } from '../support/rest.mjs';
import { drawScan } from '../support/scan.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A book with some pages that have pictures, in the list of a page. */
async function withBook(t, count) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const term = async (vocabulary, name) => rest.term(vocabulary, name);
  const page = await openBrowser(t);
  const model = async (name) => [{ target_id: await term('islandora_models', name) }];
  const use = await term('islandora_media_use', 'Original File');
  const book = (await rest.createItem('Logbook', { field_model: await model('Paged Content') })).nid[0].value;
  const nids = [];
  for (let number = 1; number <= count; number += 1) {
    const fields = { field_member_of: [{ target_id: book }], field_weight: [{ value: number }] };
    const made = await rest.createItem(`Page ${number}`, { field_model: await model('Page'), ...fields });
    nids.push(made.nid[0].value);
    const bytes = Buffer.from(await page.evaluate(drawScan, `Page ${number}`), 'base64');
    await rest.upload(nids.at(-1), 'image', use, `public://log/${number}.jpg`, 'image/jpeg', bytes);
  }
  await signIn(page, baseUrl, password);
  const transcript = await term('islandora_media_use', 'Transcript');
  /** The bytes of the transcription of a page; null without one. */
  const written = async (nid) => {
    const { media } = await (await rest.send('GET', `/api/v1/items/${nid}/media`)).json();
    const found = media.find(({ uses }) => uses.some(({ tid }) => tid === transcript));
    return found ? (await rest.send('GET', found.file.download_url)).text() : null;
  };
  return { page, rest, nids, written };
}

test('an open transcription leaves the keys to the viewer where pages are turned there', async (t) => {
  const { page, nids, written } = await withBook(t, 3);
  await page.getByRole('gridcell', { name: 'Logbook', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Next page (→)' }).waitFor();
  const text = (number) => page.getByRole('textbox', { name: `Transcription of “Page ${number}”` });
  await page.keyboard.press('e');
  await text(1).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Next page (→)' }).click();
  await text(2).waitFor();
  await page.keyboard.press('ArrowRight');
  await text(3).waitFor();
  await page.keyboard.type('rr');
  assert.equal(await text(3).inputValue(), '');
  await page.keyboard.press('Escape');
  await page.getByTestId('viewer').waitFor({ state: 'detached' });
  assert.deepEqual(await Promise.all(nids.map(written)), [null, null, null]);
});

test('three pages are transcribed by keys alone, and every one is kept', async (t) => {
  const { page, nids, written } = await withBook(t, 3);
  await page.getByRole('gridcell', { name: 'Logbook', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Next page (→)' }).waitFor();
  await page.keyboard.press('e');
  for (const number of [1, 2, 3]) {
    const text = page.getByRole('textbox', { name: `Transcription of “Page ${number}”` });
    await text.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`Wind from the north, day ${number}.`);
    if (number === 2) await accessible(page, 'a transcription');
    await page.keyboard.press(number < 3 ? 'Alt+PageDown' : 'Control+s');
  }
  for (const [index, nid] of nids.entries()) {
    const wanted = `Wind from the north, day ${index + 1}.`;
    await until(`page ${index + 1} is kept`, async () => (await written(nid)) === wanted);
  }
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('viewer').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await until('the last one is undone', async () => (await written(nids[2])) === null);
  assert.equal(await written(nids[1]), 'Wind from the north, day 2.');
});

test('recognized text is where a transcription begins, and changes make versions', async (t) => {
  const { page, rest, nids, written } = await withBook(t, 1);
  const use = await rest.term('islandora_media_use', 'Extracted Text');
  await rest.upload(nids[0], 'extracted_text', use, 'public://log/1.txt', 'text/plain', 'W1nd');
  await page.getByRole('gridcell', { name: 'Logbook', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Transcription' }).click();
  const text = page.getByTestId('transcription');
  await page.getByText('Found by text recognition.', { exact: false }).waitFor();
  assert.equal(await text.inputValue(), 'W1nd');
  assert.equal(await written(nids[0]), null);
  for (const words of ['Wind', 'Wind, northerly']) {
    await text.fill(words);
    await text.press('Control+s');
    await until(`${words} is kept`, async () => (await written(nids[0])) === words);
  }
  const { media } = await (await rest.send('GET', `/api/v1/items/${nids[0]}/media`)).json();
  assert.equal(media.filter(({ bundle }) => bundle === 'extracted_text').length, 2);
});

test('what is typed before the next transcription is read goes into it, not to the viewer', async (t) => {
  const { page, nids, written } = await withBook(t, 3);
  await page.getByRole('gridcell', { name: 'Logbook', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Next page (→)' }).waitFor();
  await page.keyboard.press('e');
  const text = (number) => page.getByRole('textbox', { name: `Transcription of “Page ${number}”` });
  await text(1).and(page.locator(':focus')).waitFor();
  const read = await hold(page, `**/api/v1/items/${nids[1]}/media*`);
  await page.keyboard.press('Alt+PageDown');
  await page.keyboard.type('bright ');
  await read.begun();
  await page.keyboard.type('evening');
  await page.keyboard.press('ArrowRight');
  await read.letGo();
  await text(2).and(page.locator(':focus')).waitFor();
  await until('it is typed', async () => (await text(2).inputValue()) === 'bright evening');
  await page.keyboard.press('Control+s');
  await until('it is kept', async () => (await written(nids[1])) === 'bright evening');
});
