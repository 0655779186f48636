import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const pdf = await readFile(new URL('../samples/documents/two-pages.pdf', import.meta.url));
const picture = await readFile(new URL('../samples/pictures/rgb.jpg', import.meta.url));

async function openDesk(t, options) {
  const { baseUrl, password } = await serve(t, undefined, options);
  const rest = new Rest(baseUrl, password);
  const terms = {
    document: await rest.term('islandora_models', 'Digital Document'),
    page: await rest.term('islandora_models', 'Page'),
    book: await rest.term('islandora_models', 'Paged Content'),
    original: await rest.term('islandora_media_use', 'Original File'),
    text: await rest.term('islandora_media_use', 'Extracted Text'),
  };
  const model = [{ target_id: terms.document }];
  const make = async (title, fields = {}) =>
    (await rest.createItem(title, { field_model: model, ...fields })).nid[0].value;
  const addText = (nid, text) =>
    rest.upload(nid, 'extracted_text', terms.text, `public://text-${nid}.txt`, 'text/plain', text);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const find = async (words) => {
    await page.goto(`${baseUrl}/?view=all`);
    await page.getByTestId('search').fill(words);
  };
  const viewer = page.getByTestId('viewer');
  return {
    baseUrl,
    rest,
    terms,
    make,
    addText,
    page,
    find,
    viewer,
    passage: (text) => page.locator(`[data-testid="passage"][title*="${text}"]`),
    count: (text) => viewer.getByTestId('hit-count').filter({ hasText: text }).waitFor(),
  };
}

/** How the dark pixels of a page lie in a mark: their share, their margins and those just before it, in pixels. */
function inkUnder(stage) {
  const canvas = stage.querySelector('.openseadragon-canvas canvas');
  const box = stage.querySelector('[data-testid="marks"] .current').getBoundingClientRect();
  const frame = canvas.getBoundingClientRect();
  const scale = canvas.width / frame.width;
  const read = (left, top, width, height) =>
    canvas
      .getContext('2d')
      .getImageData(
        Math.round((left - frame.left) * scale),
        Math.round((top - frame.top) * scale),
        Math.max(1, Math.round(width * scale)),
        Math.max(1, Math.round(height * scale)),
      );
  const darkColumns = ({ data, width, height }) =>
    Array.from({ length: width }, (_, x) => x).filter((x) =>
      Array.from(
        { length: height },
        (_, y) => data[4 * (y * width + x)] + data[4 * (y * width + x) + 1],
      ).some((light) => light < 120),
    );
  const inside = darkColumns(read(box.left, box.top, box.width, box.height));
  const before = darkColumns(read(box.left - 0.05 * box.width, box.top, 0.03 * box.width, box.height));
  const width = box.width * scale;
  return {
    first: inside[0] / width,
    last: inside.at(-1) / width,
    columns: inside.length / width,
    before: before.length,
  };
}

test('a word inside a PDF leads to its page, where it is marked', async (t) => {
  const desk = await openDesk(t, { derivatives: true });
  const { rest, terms, make, page, viewer, find, passage, count } = desk;
  const nid = await make('Print');
  await rest.upload(nid, 'document', terms.original, 'public://two.pdf', 'application/pdf', pdf);
  await until('the words of the PDF are found', async () => {
    const answer = await (await rest.send('GET', '/api/v1/search?q=second&limit=1')).json();
    return answer.total === 1;
  });
  await find('second');
  await passage('Page 2').waitFor();
  assert.equal(await passage('Page 2').locator('mark').getAttribute('data-words'), 'Second');
  await accessible(page, 'passages in the list');
  await passage('Page 2').click();
  await viewer.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();
  await count('1 of 1');
  assert.equal(new URL(page.url()).searchParams.get('page'), '2');
  assert.equal(new URL(page.url()).searchParams.get('q'), 'second');
  const mark = viewer.getByTestId('marks').locator('.current');
  await mark.waitFor();
  await accessible(page, 'marks in a PDF');
  const ink = await viewer.getByTestId('picture-stage').evaluate(inkUnder);
  const words = JSON.stringify(ink);
  assert.ok(ink.first < 0.12 && ink.last > 0.88 && ink.columns > 0.5, words);
  assert.equal(ink.before, 0, words);
  // Reloaded, it is as it was; Escape takes the marks away, and then closes the viewer.
  await page.reload();
  await mark.waitFor();
  await page.keyboard.press('Escape');
  await viewer.getByTestId('hits').waitFor({ state: 'detached' });
  assert.equal(await viewer.getByTestId('marks').locator('span').count(), 0);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
});

test('keys and buttons lead from hit to hit, across pages and around', async (t) => {
  const { rest, terms, make, addText, page, viewer, find, passage, count } = await openDesk(t);
  const nid = await make('Print');
  await rest.upload(nid, 'document', terms.original, 'public://two.pdf', 'application/pdf', pdf);
  await addText(nid, 'Salt islands\nof the north\fSecond page');
  await find('islands OR page OR north');
  await page.getByRole('gridcell', { name: 'Print' }).click();
  await passage('Page 1').waitFor();
  await page.keyboard.press('Enter');
  await count('1 of 3');
  const current = viewer.locator('nav [aria-current="page"]');
  await current.filter({ hasText: '1' }).waitFor();
  await page.keyboard.press('n');
  await count('2 of 3');
  await viewer.getByRole('button', { name: 'Next hit' }).click();
  await count('3 of 3');
  await current.filter({ hasText: '2' }).waitFor();
  await page.keyboard.press('n');
  await count('1 of 3');
  await current.filter({ hasText: '1' }).waitFor();
  await page.keyboard.press('Shift+N');
  await count('3 of 3');
  // A page that is turned by hand shows its own hits.
  await page.keyboard.press('ArrowLeft');
  await count('1 of 3');
  await viewer.getByTestId('marks').locator('span').nth(1).waitFor();
  await viewer.getByRole('button', { name: 'Clear marks' }).click();
  await viewer.getByTestId('hits').waitFor({ state: 'detached' });
  await viewer.waitFor();
});

test('words are marked in a text file, and in the text beside the page of a book', async (t) => {
  const { rest, terms, make, addText, page, viewer, find, passage, count } = await openDesk(t);
  const note = await make('Note');
  const text = 'An old house.\nMany houses, and Häuser.';
  await rest.upload(note, 'file', terms.original, 'public://note.txt', 'text/plain', text);
  await addText(note, text);
  const book = await make('Atlas', { field_model: [{ target_id: terms.book }] });
  for (const weight of [1, 2, 3]) {
    const leaf = await make(`Leaf ${weight}`, {
      field_model: [{ target_id: terms.page }],
      field_member_of: [{ target_id: book }],
      field_weight: [{ value: weight }],
    });
    await rest.upload(leaf, 'image', terms.original, `public://leaf-${weight}.jpg`, 'image/jpeg', picture);
    if (weight > 1) await addText(leaf, `A garden on leaf ${weight}`);
  }
  await find('house');
  await passage('old house').click();
  await count('1 of 2');
  const marks = viewer.getByTestId('written').locator('mark');
  assert.deepEqual(await marks.allInnerTexts(), ['house', 'houses']);
  await page.keyboard.press('F3');
  await count('2 of 2');
  assert.equal(await viewer.locator('mark.current').innerText(), 'houses');

  await find('garden');
  await passage('leaf 3').click();
  await viewer.getByRole('heading', { name: 'Atlas' }).waitFor();
  await count('2 of 2');
  await viewer.locator('nav [aria-current="page"]').filter({ hasText: '3' }).waitFor();
  await viewer.getByTestId('written').locator('mark.current').filter({ hasText: 'garden' }).waitFor();
  await page.keyboard.press('Shift+F3');
  await viewer.locator('nav [aria-current="page"]').filter({ hasText: '2' }).waitFor();
  await count('1 of 2');
});

test('the best comes first, and words are found only as typed if somebody wants that', async (t) => {
  const { make, page, find } = await openDesk(t);
  const description = (value) => ({ field_description: [{ value }] });
  await make('A list', description(`house ${'of other things '.repeat(60)}`));
  await make('House', description('house, a house'));
  await make('Some houses');
  await find('house');
  const titles = () => page.getByTestId('card').locator('.title').allInnerTexts();
  const best = ['House', 'Some houses', 'A list'];
  await until('the best comes first', async () => isDeepStrictEqual(await titles(), best));
  await page.getByRole('button', { name: 'Sort: relevance' }).waitFor();
  const marked = () => page.getByTestId('card').locator('.title mark').allInnerTexts();
  await until('titles are marked', async () => isDeepStrictEqual(await marked(), ['House', 'houses']));
  await page.getByTestId('search-options').click();
  await page.getByRole('menuitemradio', { name: 'Exact words' }).click();
  await until('forms are not found', async () => (await titles()).length === 2);
  assert.deepEqual(await titles(), ['House', 'A list']);
  assert.equal(new URL(page.url()).searchParams.get('stems'), 'false');
  await page.getByRole('button', { name: 'Sort: relevance' }).click();
  await page.getByRole('menuitemradio', { name: 'Title' }).click();
  await until('the list is sorted', async () => (await titles())[0] === 'A list');
});

test('a visitor sees no passage of a hidden file', async (t) => {
  const { baseUrl, rest, make, addText } = await openDesk(t);
  const open = await make('Open letter');
  await addText(open, 'A treasure in the open');
  const half = await make('Treasure map');
  const media = await addText(half, 'The secret treasure');
  const path = new URL(media, baseUrl).pathname;
  const response = await rest.send('PATCH', `${path}?_format=json`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ bundle: [{ target_id: 'extracted_text' }], status: [{ value: false }] }),
  });
  assert.equal(response.status, 200, await response.text());
  const page = await openBrowser(t);
  await page.goto(baseUrl);
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await page.getByTestId('search').fill('treasure');
  const passages = page.getByTestId('passage');
  await page.locator('[data-testid="passage"][title*="A treasure in the open"]').waitFor();
  await page.getByRole('gridcell', { name: 'Treasure map' }).locator('.title mark').waitFor();
  assert.equal(await passages.and(page.locator('[title*="secret"]')).count(), 0);
  const answer = await page.request.get(`${baseUrl}/api/v1/items/${half}/marks?q=treasure`);
  assert.deepEqual((await answer.json()).pages, []);
});
