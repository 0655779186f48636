import { readFile } from 'node:fs/promises';
import { emptyPdf } from '../../support/empty_pdf.mjs';
import { drawScan } from '../../support/scan.mjs';
import { chooseFiles, openSample } from './steps.mjs';

const SENT = '**/node/*/media/**';

async function scans(page, ...names) {
  return Promise.all(
    names.map(async (name) => ({
      name: `${name}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await page.evaluate(drawScan, name), 'base64'),
    })),
  );
}

/** Files of every fate: new ones, one that is here already, one of an unknown format, and an empty one. */
async function drop(stage) {
  const { page } = stage;
  await openSample(stage);
  await chooseFiles(page, [
    ...(await scans(page, 'Harbour with the mole', 'Fort on the point', 'Salt pans')),
    { name: 'log of the pilot.txt', mimeType: 'text/plain', buffer: Buffer.from(stage.made.log) },
    { name: 'notes.xyz', mimeType: 'application/x-unknown', buffer: Buffer.from('?') },
    { name: 'empty.tif', mimeType: 'image/tiff', buffer: Buffer.alloc(0) },
  ]);
  await page.getByTestId('known').waitFor();
  await page.getByRole('button', { name: 'Add 5 items' }).waitFor();
}

const sample = (name) => readFile(new URL(`../../samples/${name}`, import.meta.url));

/** Files of several pages beside a scan: one becomes a book of its pages. */
async function dropPages(stage) {
  const { page } = stage;
  await openSample(stage);
  const [tiff, pdf] = await Promise.all([sample('pictures/pages.tif'), sample('documents/two-pages.pdf')]);
  await chooseFiles(page, [
    { name: 'Atlas of the Levant.tif', mimeType: 'image/tiff', buffer: tiff },
    { name: 'Log of the pilot boat.pdf', mimeType: 'application/pdf', buffer: pdf },
    ...(await scans(page, 'Harbour with the mole')),
  ]);
  await page.getByTestId('multipage').waitFor();
  await page.getByLabel('What Log of the pilot boat.pdf becomes').waitFor();
  await page.getByLabel('What Atlas of the Levant.tif becomes').selectOption('book');
}

/** Pages of a file that become items. */
async function makingPages(stage) {
  const { page, rest } = stage;
  const [model, use] = await Promise.all([
    rest.term('islandora_models', 'Paged Content'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem('Log of the pilot boat, 1848', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  await rest.upload(nid, 'document', use, 'public://log.pdf', 'application/pdf', emptyPdf(240));
  await rest.send('POST', `/api/v1/items/${nid}/pages`);
  await page.goto(`${stage.baseUrl}/node/${nid}?collection=${nid}`);
  const progress = page.getByTestId('pages-progress');
  await progress.getByText(/^Making pages: ([4-9]|\d\d)/).waitFor();
  return async () => {
    await progress.getByRole('button', { name: 'Stop' }).click();
    await progress.waitFor({ state: 'detached' });
    await stage.tidy();
  };
}

/** Sends scans into the sample; what becomes of each is decided by `fate`, which gets the request's number. */
async function send(stage, fate, names) {
  const { page } = stage;
  await openSample(stage);
  let number = 0;
  await page.route(SENT, (route) =>
    route.request().method() === 'PUT' ? fate(route, ++number) : route.continue(),
  );
  await chooseFiles(page, await scans(page, ...names));
  await page.getByRole('button', { name: /^Add \d items/ }).click();
  return page.getByTestId('tray');
}

/** Takes what was sent out of the repository again: a scene leaves the next one what it found. */
const takeBack = (stage, tray) => async () => {
  const { page } = stage;
  page.once('dialog', (question) => question.accept());
  const cancel = tray.getByRole('button', { name: 'Cancel all' });
  await cancel.click();
  await cancel.waitFor({ state: 'detached' });
  const needed = tray.getByRole('button', { name: /from the list$/ });
  while ((await needed.count()) > 0) await needed.first().click();
  await page.unroute(SENT);
  await stage.tidy();
};

const hold = () => {};
const FULL_DISK = JSON.stringify({
  message: 'The disk has no space left for this file. Nothing was changed.',
  code: 'disk_full',
});

async function running(stage) {
  const fate = (route, number) => {
    if (number === 1) return route.fulfill({ status: 507, contentType: 'application/json', body: FULL_DISK });
    return number === 2 ? route.continue() : hold();
  };
  const tray = await send(stage, fate, ['Harbour', 'Fort', 'Salt pans', 'Lazaret', 'Light on the cape']);
  await tray.getByText('The disk has no space').waitFor();
  await tray.getByText('Added as').waitFor();
  return takeBack(stage, tray);
}

async function paused(stage) {
  const tray = await send(stage, hold, ['Harbour', 'Fort', 'Salt pans', 'Lazaret', 'Light on the cape']);
  await tray.getByRole('button', { name: 'Pause all' }).click();
  await tray.getByText('Paused', { exact: true }).first().waitFor();
  return takeBack(stage, tray);
}

/** Files on their way into the repository. */
export const SENDING = {
  drop,
  'drop-pages': dropPages,
  'making-pages': makingPages,
  transfers: running,
  'transfers-paused': paused,
};
