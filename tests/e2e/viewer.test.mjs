import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const sample = (name) => readFile(new URL(`../samples/${name}`, import.meta.url));

/** Makes items with an original file each, and answers their numbers by their titles. */
async function fill(rest, files) {
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const nids = {};
  for (const [title, mediaType, mime, name, bytes, fields] of files) {
    const item = await rest.createItem(title, { field_model: [{ target_id: model }], ...fields });
    nids[title] = item.nid[0].value;
    if (bytes) await rest.upload(nids[title], mediaType, use, `public://${name}`, mime, bytes);
  }
  return nids;
}

async function openDesk(t, files) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const nids = await fill(rest, files);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const viewer = page.getByTestId('viewer');
  return {
    page,
    viewer,
    rest,
    nids,
    look: (title) => page.goto(`${baseUrl}/node/${nids[title]}?view=all&page=1`),
    shown: () => viewer.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor(),
  };
}

const percent = async (viewer) => parseInt(await viewer.getByTestId('zoom-percent').textContent(), 10);

test('quick look closes by each of its ways, and the list goes on', async (t) => {
  const { page } = await openDesk(t, [
    ['Second', 'image', 'image/jpeg', 'a.jpg', await sample('pictures/large.jpg')],
    ['First', 'image', 'image/png', 'b.png', await sample('pictures/large-group4-expected.png')],
  ]);
  const look = page.getByTestId('quick-look');
  await page.getByRole('gridcell', { name: 'First' }).click();
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press(' '),
    () => look.getByRole('button', { name: 'Close' }).click(),
  ];
  for (const close of ways) {
    await page.getByRole('gridcell', { name: 'First' }).focus();
    await page.keyboard.press(' ');
    await look.getByRole('img').waitFor();
    await close();
    await look.waitFor({ state: 'detached' });
    // It would be back with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    assert.equal(await look.count(), 0);
  }
  await page.getByRole('gridcell', { name: 'Second' }).click();
  await page.getByRole('gridcell', { name: 'Second', selected: true }).waitFor();
});

test('a picture is looked at closely, by keys, and the arrows lead on', async (t) => {
  const { page, viewer, shown } = await openDesk(t, [
    ['Second', 'image', 'image/jpeg', 'a.jpg', await sample('pictures/large.jpg')],
    ['First', 'image', 'image/png', 'b.png', await sample('pictures/large-group4-expected.png')],
  ]);
  await page.getByRole('gridcell', { name: 'First' }).click();
  await page.keyboard.press(' ');
  await page.getByTestId('quick-look').getByRole('img').waitFor();
  await accessible(page, 'quick look');
  await page.keyboard.press('Enter');
  await shown();
  await accessible(page, 'viewer of a picture');

  const whole = await percent(viewer);
  await page.keyboard.press('+');
  await page.waitForFunction(
    (before) => parseInt(document.querySelector('[data-testid="zoom-percent"]').textContent, 10) > before,
    whole,
  );
  await page.keyboard.press('0');
  await page.waitForFunction(
    (before) => parseInt(document.querySelector('[data-testid="zoom-percent"]').textContent, 10) === before,
    whole,
  );
  await page.keyboard.press('ArrowRight');
  await viewer.getByRole('heading', { name: 'Second' }).waitFor();
  await shown();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await page.getByRole('gridcell', { name: 'Second', selected: true }).waitFor();
});

test('pages are turned: of a PDF, and of a book whose pages are items', async (t) => {
  const desk = await openDesk(t, [
    ['Print', 'document', 'application/pdf', 'two.pdf', await sample('documents/two-pages.pdf')],
    ['Torn print', 'document', 'application/pdf', 'torn.pdf', Buffer.from('%PDF-1.4\nnothing')],
    ['Book'],
  ]);
  const { page, viewer, look, shown, rest, nids } = desk;
  const picture = await sample('pictures/rgb.jpg');
  const leaf = (weight) => [
    `Leaf ${weight}`,
    'image',
    'image/jpeg',
    `leaf-${weight}.jpg`,
    picture,
    { field_member_of: [{ target_id: nids.Book }], field_weight: [{ value: weight }] },
  ];
  await fill(rest, [leaf(3), leaf(1), leaf(2)]);
  await look('Print');
  await shown();
  await viewer.getByText('of 2').waitFor();
  await page.keyboard.press('ArrowRight');
  const current = viewer.locator('nav [aria-current="page"]');
  await current.filter({ hasText: '2' }).waitFor();
  await current.locator('img').waitFor();
  await shown();
  await accessible(page, 'viewer of a PDF');

  await look('Torn print');
  await viewer.getByText('This file cannot be shown').waitFor();

  await look('Book');
  await shown();
  await viewer.getByRole('button', { name: 'Page 1: Leaf 1' }).waitFor();
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  await viewer.locator('nav [aria-current="page"]').nth(1).waitFor();
  assert.deepEqual(await viewer.locator('nav [aria-current="page"]').allInnerTexts(), ['2', '3']);
  await shown();
  await accessible(page, 'viewer of a book');
});

test('a recording is played from where one wants, and a page is shown as its text', async (t) => {
  const { page, viewer, look } = await openDesk(t, [
    ['Tone', 'audio', 'audio/x-wav', 'tone.wav', await sample('recordings/tone.wav')],
    [
      'Hostile',
      'file',
      'text/html',
      'page.zip',
      '<script>document.title = "it ran"</script><h1>Heading</h1>',
    ],
    ['Nothing'],
  ]);
  const parts = [];
  page.on('response', (answer) => answer.url().endsWith('tone.wav') && parts.push(answer.status()));
  await look('Tone');
  const audio = viewer.locator('audio');
  await audio.evaluate(
    (player) =>
      new Promise((done) => {
        player.addEventListener('seeked', done, { once: true });
        const seek = () => (player.currentTime = player.duration / 2);
        if (player.readyState > 0) seek();
        else player.addEventListener('loadedmetadata', seek, { once: true });
      }),
  );
  assert.ok(await audio.evaluate((player) => player.currentTime > 0));
  assert.ok(parts.length > 0 && parts.every((status) => status === 206), `${parts}`);
  await accessible(page, 'viewer of a recording');

  await look('Hostile');
  await viewer.getByTestId('written').getByText('<h1>Heading</h1>').waitFor();
  assert.notEqual(await page.title(), 'it ran');
  assert.equal(await viewer.getByRole('heading', { name: 'Heading' }).count(), 0);
  await accessible(page, 'viewer of a text');

  await look('Nothing');
  await viewer.getByText('No file yet').waitFor();
});
