import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** Runs in a page: a sheet of 600 x 400 in a dark border, red at the left and blue at the right, as PNG in base64. */
function drawSheet() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 600 });
  const pen = canvas.getContext('2d');
  for (const [colour, ...place] of [
    ['#101010', 0, 0, 800, 600],
    ['#d02020', 100, 100, 300, 400],
    ['#2020d0', 400, 100, 300, 400],
  ]) {
    pen.fillStyle = colour;
    pen.fillRect(...place);
  }
  return canvas.toDataURL('image/png').split(',')[1];
}

/** A page on a repository with scans of these titles: No … has no file, TIFF … one that no browser shows. */
async function openDesk(t, titles) {
  const { baseUrl, password } = await serve(t, undefined, { derivatives: true });
  const rest = new Rest(baseUrl, password);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const sheet = Buffer.from(await page.evaluate(drawSheet), 'base64');
  const tiff = await readFile(new URL('../samples/pictures/plain.tif', import.meta.url));
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const nids = {};
  for (const title of titles) {
    const item = await rest.createItem(title, { field_model: [{ target_id: model }] });
    nids[title] = item.nid[0].value;
    if (title.startsWith('No')) continue;
    const [type, mime, bytes] = title.startsWith('TIFF')
      ? ['file', 'image/tiff', tiff]
      : ['image', 'image/png', sheet];
    await rest.upload(nids[title], type, use, `public://${title}.${mime.slice(6)}`, mime, bytes);
    await until('its pictures are made', async () => (await media(rest, nids[title])).length >= 3);
  }
  const look = (title) => page.goto(`${baseUrl}/node/${nids[title]}?view=all&page=1`);
  return { baseUrl, page, rest, nids, sheet, look, viewer: page.getByTestId('viewer') };
}

const media = async (rest, nid) =>
  (await (await rest.send('GET', `/api/v1/items/${nid}/media`)).json()).media;

const kept = async (rest, nid) => (await media(rest, nid))[0].adjustment;

const shown = (viewer) => viewer.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();

/** Width and height that the viewer has at 1 : 1. */
async function sizeIn(viewer) {
  const words = await viewer.getByRole('button', { name: /^1 : 1 at/ }).textContent();
  return words
    .match(/\d[\d,]*/g)
    .slice(2)
    .map((number) => Number(number.replace(',', '')));
}

/** Size of the thumbnail of an item, and its colours at these fractions of it, as red, green and blue. */
async function thumbnail(page, title, places) {
  const image = page.getByRole('gridcell', { name: title }).locator('img[src*="-thumbnail"]');
  return image.evaluate(async (image, places) => {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const pen = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    pen.drawImage(image, 0, 0);
    const colours = places.map(([x, y]) =>
      [...pen.getImageData(x * width, y * height, 1, 1).data].slice(0, 3),
    );
    return { width, height, colours };
  }, places);
}

const isRed = ([red, green, blue]) => red > 170 && green < 80 && blue < 80;
const isBlue = ([red, green, blue]) => blue > 170 && green < 80 && red < 80;
const isDark = (colour) => colour.every((one) => one < 60);
const near = (one, other) => Math.abs(one - other) <= 4;

/** Draws a crop around the sheet in the dark border, whose picture is displayed as a whole. */
async function drawCrop(page, frame) {
  const box = await frame.boundingBox();
  const at = (x, y) => [box.x + (box.width * x) / 800, box.y + (box.height * y) / 600];
  await page.mouse.move(...at(100, 100));
  await page.mouse.down();
  await page.mouse.move(...at(300, 300), { steps: 3 });
  await page.mouse.move(...at(700, 500));
  await page.mouse.up();
}

test('a sheet is cropped out of its border and turned; its thumbnail follows, the original stays', async (t) => {
  const { page, viewer, rest, nids, sheet, look } = await openDesk(t, ['Sheet']);
  await look('Sheet');
  await shown(viewer);
  assert.deepEqual(await sizeIn(viewer), [800, 600]);
  await page.keyboard.press('c');
  const frame = viewer.getByRole('button', { name: /^Crop frame/ });
  await frame.waitFor();
  await accessible(page, 'choosing a crop');
  await drawCrop(page, frame);
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await viewer.getByText('Kept. The original file stays as it is.').waitFor();
  await until('the new picture is shown', async () => {
    const [width, height] = await sizeIn(viewer);
    return near(width, 400) && near(height, 600);
  });
  const { rotation, crop } = await kept(rest, nids.Sheet);
  assert.equal(rotation, 90);
  assert.ok(near(crop.x, 100) && near(crop.y, 100), JSON.stringify(crop));
  await viewer.getByRole('link', { name: 'Download original' }).waitFor();
  await page.keyboard.press('Escape');
  const places = [
    [0.5, 0.1],
    [0.5, 0.9],
    [0.03, 0.03],
  ];
  await until('the thumbnail is the sheet on its side', async () => {
    const { width, height, colours } = await thumbnail(page, 'Sheet', places);
    const [above, below, corner] = colours;
    return near(height, 512) && near(width, 341) && isRed(above) && isBlue(below) && isRed(corner);
  });
  const [original] = await media(rest, nids.Sheet);
  const bytes = await (await rest.send('GET', original.file.download_url)).arrayBuffer();
  assert.ok(sheet.equals(Buffer.from(bytes)), 'the original is byte for byte what it was');
  await page.keyboard.press('Control+z');
  await until('the thumbnail is the whole again', async () => {
    const { width, height, colours } = await thumbnail(page, 'Sheet', places);
    return width === 512 && height === 384 && isDark(colours[2]);
  });
  assert.equal(await kept(rest, nids.Sheet), null);
});

test('a crop is chosen by keys, given up, kept, and found again on the whole picture', async (t) => {
  const { page, viewer, rest, nids, look } = await openDesk(t, ['Sheet']);
  await look('Sheet');
  await shown(viewer);
  const size = viewer.getByTestId('crop-size');
  await page.keyboard.press('c');
  await size.filter({ hasText: '800 × 600' }).waitFor();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  assert.notEqual(await size.textContent(), '800 × 600');
  await page.keyboard.press('Escape');
  await size.waitFor({ state: 'detached' });
  assert.equal(await kept(rest, nids.Sheet), null);
  await page.keyboard.press('c');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await viewer.getByRole('button', { name: 'Keep', exact: true }).click();
  await viewer.getByText('Kept. The original file stays as it is.').waitFor();
  const { crop } = await kept(rest, nids.Sheet);
  assert.ok(crop.x > 0 && crop.x + crop.width === 800 && crop.height === 600, JSON.stringify(crop));
  await until('the new picture is shown', async () => (await sizeIn(viewer))[0] === crop.width);
  await page.keyboard.press('c');
  await size.filter({ hasText: `${crop.width} × 600` }).waitFor();
  assert.deepEqual(await sizeIn(viewer), [800, 600], 'the whole is there to choose from');
  await viewer.getByRole('button', { name: 'Back to the original' }).click();
  await viewer.getByText('Shown as in the original again').waitFor();
  assert.equal(await kept(rest, nids.Sheet), null);
});

test('a crop of what no browser shows is chosen anew on the whole picture', async (t) => {
  const { page, viewer, rest, nids, look } = await openDesk(t, ['TIFF']);
  const [{ mid }] = await media(rest, nids.TIFF);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ rotation: 90, crop: { x: 20, y: 10, width: 100, height: 80 } });
  const answer = await rest.send('PUT', `/api/v1/media/${mid}/picture-adjustment`, { headers, body });
  assert.equal(answer.status, 200);
  await look('TIFF');
  await shown(viewer);
  await until('the cropped picture is shown', async () => (await sizeIn(viewer)).join() === '80,100');
  await page.keyboard.press('c');
  await viewer.getByTestId('crop-size').filter({ hasText: '80 × 100' }).waitFor();
  assert.deepEqual(await sizeIn(viewer), [160, 120], 'the whole is there to choose from');
  await page.keyboard.press('Shift+R');
  await viewer.getByTestId('crop-size').filter({ hasText: '100 × 80' }).waitFor();
  await viewer.getByRole('button', { name: 'Whole picture' }).click();
  await page.keyboard.press('Enter');
  await viewer.getByText('Shown as in the original again').waitFor();
  assert.equal(await kept(rest, nids.TIFF), null);
});

test('a page of a book is rotated, and a crop that was not kept is still there', async (t) => {
  const { page, viewer, rest, nids, look, baseUrl } = await openDesk(t, ['No book', 'Sheet']);
  const body = JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    field_member_of: [{ target_id: nids['No book'] }],
  });
  const headers = { 'Content-Type': 'application/json' };
  const moved = await rest.send('PATCH', `/node/${nids.Sheet}?_format=json`, { headers, body });
  assert.equal(moved.status, 200);
  await look('No book');
  await shown(viewer);
  await page.keyboard.press('R');
  await viewer.getByRole('button', { name: 'Keep this rotation' }).click();
  await until('it is shown so', async () => (await sizeIn(viewer))[0] === 600);
  assert.equal((await kept(rest, nids.Sheet)).rotation, 90);
  await page.route(`${baseUrl}/api/v1/media/*/picture-adjustment`, (route) => route.abort(), { times: 1 });
  await page.keyboard.press('c');
  const frame = viewer.getByRole('button', { name: /^Crop frame/ });
  await frame.waitFor();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await viewer.getByText('The server does not respond').waitFor();
  await frame.waitFor();
  await page.keyboard.press('Enter');
  await viewer.getByText('Kept. The original file stays as it is.').waitFor();
  const { rotation, crop } = await kept(rest, nids.Sheet);
  assert.equal(rotation, 90);
  assert.ok(crop.width === 800 && crop.height < 600 && crop.y > 0, 'what is right is above in the file');
});

test('a turned view is kept where one wants, and undone without leaving the viewer', async (t) => {
  const { page, viewer, rest, nids, look } = await openDesk(t, ['Sheet']);
  await look('Sheet');
  await shown(viewer);
  const keep = viewer.getByRole('button', { name: 'Keep this rotation' });
  await page.keyboard.press('r');
  await keep.waitFor();
  await accessible(page, 'a turned view');
  await page.keyboard.press('Shift+R');
  await keep.waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+R');
  await keep.click();
  await until('it is shown so', async () => (await sizeIn(viewer))[0] === 600);
  assert.deepEqual(await kept(rest, nids.Sheet), { rotation: 270, crop: null });
  assert.equal(await keep.count(), 0, 'what is kept is not turned any more');
  await page.keyboard.press('Control+z');
  await until('it is shown as before', async () => (await sizeIn(viewer))[0] === 800);
  assert.equal(await kept(rest, nids.Sheet), null);
});

test('many scans are rotated at once, and back by one undo', async (t) => {
  const titles = ['Sheet 1', 'Sheet 2', 'No scan'];
  const { page, rest, nids } = await openDesk(t, titles);
  const rotations = () =>
    Promise.all(titles.slice(0, 2).map(async (title) => (await kept(rest, nids[title]))?.rotation));
  await page.getByRole('gridcell', { name: 'No scan' }).waitFor();
  await page.getByRole('gridcell', { name: 'Sheet 1' }).click();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected').waitFor();
  const rotate = async (direction) => {
    await page.getByRole('gridcell', { name: 'Sheet 1' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: `Rotate ${direction}` }).click();
  };
  await rotate('left');
  await page.getByText('Rotated 2 pictures. 1 item has no picture to rotate.').waitFor();
  assert.deepEqual(await rotations(), [270, 270]);
  await until('the cards show it', async () => {
    const { width, height } = await thumbnail(page, 'Sheet 2', []);
    return width === 384 && height === 512;
  });
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: rotation of 2 pictures').waitFor();
  assert.deepEqual(await rotations(), [undefined, undefined]);
});
