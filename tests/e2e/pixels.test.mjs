import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** Wider than a service file, so that only its tiles have all pixels; no larger than it must be. */
const [WIDTH, HEIGHT] = [4200, 800];

/** Rows of one bit a pixel, black and white by turns, across and down; each begins with `before`. */
const rows = (before) =>
  Buffer.concat(
    Array.from({ length: HEIGHT }, (_, y) =>
      Buffer.concat([before, Buffer.alloc(WIDTH / 8, y % 2 ? 0x55 : 0xaa)]),
    ),
  );

function tiff() {
  const pixels = rows(Buffer.alloc(0));
  // Width, height, bits, compression, photometric, strip offset, samples, rows per strip, strip length.
  const [tags, offset] = [[256, 257, 258, 259, 262, 273, 277, 278, 279], 8 + 2 + 9 * 12 + 4];
  const values = [WIDTH, HEIGHT, 1, 1, 1, offset, 1, HEIGHT, pixels.length];
  const directory = Buffer.alloc(offset - 8);
  directory.writeUInt16LE(tags.length, 0);
  tags.forEach((tag, at) => {
    const place = 2 + at * 12;
    directory.writeUInt16LE(tag, place);
    directory.writeUInt16LE(4, place + 2);
    directory.writeUInt32LE(1, place + 4);
    directory.writeUInt32LE(values[at], place + 8);
  });
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), directory, pixels]);
}

function png() {
  const chunk = (kind, body) => {
    const named = Buffer.concat([Buffer.from(kind), body]);
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(body.length, 0);
    numbers.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header[8] = 1;
  const pixels = deflateSync(rows(Buffer.alloc(1)));
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

/** The reds of a square of pixels of the screen, row by row. */
async function pixelsOf(page, side) {
  const shot = await page.screenshot({ clip: { x: 500, y: 300, width: side, height: side } });
  // The page itself may not fetch it.
  const reader = await page.context().newPage();
  const pixels = await reader.evaluate(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const { data } = canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height);
    const red = (x, y) => data[4 * (y * bitmap.width + x)];
    return Array.from({ length: bitmap.height }, (_, y) =>
      Array.from({ length: bitmap.width }, (_, x) => red(x, y)),
    );
  }, shot.toString('base64'));
  await reader.close();
  return pixels;
}

/** Whether each pixel is black or white, and its neighbours are the other. */
function isBoard(pixels) {
  const [first] = pixels[0];
  const expected = (x, y) => ((x + y) % 2 === 0) === first > 128;
  return pixels.every((row, y) => row.every((red, x) => (expected(x, y) ? red > 225 : red < 30)));
}

async function upload(rest, title, name, mime, bytes) {
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem(title, { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  await rest.upload(nid, mime === 'image/tiff' ? 'file' : 'image', use, `public://${name}`, mime, bytes);
  return nid;
}

/** Waits until the derivatives of an item are made that the viewer needs. */
async function derived(rest, nid) {
  await until('its copy is made', async () => {
    const { jobs } = await (await rest.send('GET', `/api/v1/items/${nid}/jobs`)).json();
    return ['service', 'thumbnail', 'facts'].every((kind) =>
      jobs.some((job) => job.kind === kind && job.state === 'made'),
    );
  });
}

for (const [kind, mime, make] of [
  ['a copy', 'image/tiff', tiff],
  ['the original', 'image/png', png],
]) {
  test(`at 1 : 1 a pixel of the screen shows a pixel of the original, where ${kind} is shown`, async (t) => {
    const { baseUrl, password } = await serve(t, undefined, { derivatives: make === tiff });
    const rest = new Rest(baseUrl, password);
    const nid = await upload(rest, 'Board', `board.${mime.slice(6)}`, mime, make());
    if (make === tiff) await derived(rest, nid);
    for (const deviceScaleFactor of [1, 2]) {
      const page = await openBrowser(t, { deviceScaleFactor });
      await signIn(page, baseUrl, password);
      await page.goto(`${baseUrl}/node/${nid}?view=all&page=1`);
      const viewer = page.getByTestId('viewer');
      await viewer.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();
      await viewer.getByRole('button', { name: '1 : 1 at 4,200 × 800' }).click();
      await viewer.getByTestId('zoom-percent').filter({ hasText: '100%' }).waitFor();
      const seen = () => pixelsOf(page, 64).then(isBoard);
      await until(`pixels are seen at ${deviceScaleFactor}`, seen);
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowDown');
      await until('pixels are seen elsewhere', seen);
      if (deviceScaleFactor === 1) await accessible(page, 'viewer of a large picture');
    }
  });
}

test('a picture that lies on its side in its file is upright, and measured as it is seen', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, { derivatives: true });
  const bytes = await readFile(new URL('../samples/pictures/turned-6-piexif.jpg', import.meta.url));
  const rest = new Rest(baseUrl, password);
  const nid = await upload(rest, 'Turned', 'turned.jpg', 'image/jpeg', bytes);
  await derived(rest, nid);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${nid}?view=all`);
  const card = page.getByRole('gridcell', { name: 'Turned' }).locator('img[src*="-thumbnail"]');
  await card.waitFor();
  const size = await card.evaluate(async (image) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(size, [160, 120]);
  await page.getByTestId('offered').getByText('Ann Smith').waitFor();
  await page.goto(`${baseUrl}/node/${nid}?view=all&page=1`);
  await page.getByRole('button', { name: '1 : 1 at 160 × 120' }).waitFor();
  await page.keyboard.press('i');
  await page.getByTestId('viewer').getByText('160 × 120 px').waitFor();
});
