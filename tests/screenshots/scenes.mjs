import { drawScan } from '../stage/scan.mjs';

const MAP = 'Isola di Portovecchio, con li scogli e secche intorno';
const BOOK = 'Portolano delle isole, fair copy';
const FIELD = 'Extent';

const card = (page, name) => page.getByRole('gridcell', { name, exact: true });

async function openSample({ page, baseUrl }) {
  await page.goto(`${baseUrl}/?view=all`);
  await page.getByRole('treeitem', { name: 'Sample: an island book' }).click();
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  await card(page, BOOK).locator('img').waitFor();
}

/** Goes to an address of the UI and waits until it shows what it is for. */
const address = (path, shown) => async (stage) => {
  await stage.page.goto(`${stage.baseUrl}${path}`);
  await shown(stage.page).first().waitFor();
};

const heading = (name) => (page) => page.getByRole('heading', { name, exact: true });

async function desk(stage) {
  await openSample(stage);
  await card(stage.page, MAP).click();
  await stage.page.getByRole('textbox', { name: 'Date Created' }).waitFor();
}

async function tab(stage, name) {
  await desk(stage);
  await stage.page.getByRole('tab', { name }).click();
}

async function batch(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.keyboard.press('Control+2');
  await page.getByRole('row', { name: /Caprera/ }).click();
  await page.getByRole('row', { name: /Montalbo/ }).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+e');
  await page.getByTestId('batch-field').click();
  await page.getByRole('combobox', { name: /^Field/ }).fill(FIELD);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: `Value: ${FIELD}` }).fill('1 map, hand-coloured');
  await page.getByRole('button', { name: /^Change \d/ }).waitFor();
}

async function look(stage, title) {
  const { page } = stage;
  await openSample(stage);
  await card(page, title).dblclick();
  await page.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();
}

async function book(stage) {
  const { page } = stage;
  await look(stage, BOOK);
  const two = page.getByRole('button', { name: 'Two pages (B)' });
  if ((await two.getAttribute('aria-pressed')) !== 'true') await two.click();
  await page.keyboard.press('ArrowRight');
  await page.locator('nav [aria-current="page"]').nth(1).waitFor();
  await page.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();
}

async function drop(stage) {
  const { page } = stage;
  await openSample(stage);
  const files = await Promise.all(
    ['Harbour with the mole', 'Fort on the point', 'Salt pans'].map(async (name) => ({
      name: `${name}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await page.evaluate(drawScan, name), 'base64'),
    })),
  );
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  await (
    await chooser
  ).setFiles([...files, { name: 'notes.xyz', mimeType: 'application/x-unknown', buffer: Buffer.from('?') }]);
  await page.getByRole('button', { name: 'Add 3 items' }).waitFor();
}

async function palette(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Everything by name' }).fill('isol');
  await page.getByRole('option', { name: new RegExp(MAP) }).waitFor();
}

async function keys(stage) {
  await openSample(stage);
  await stage.page.keyboard.press('?');
  await stage.page.getByRole('dialog', { name: 'Keys' }).waitFor();
}

/** What is there before anybody has signed in, and before anything is in the repository. */
export const EMPTY = {
  'first-run': address('/?view=all', heading('Drop a box of scans here')),
  'trash-empty': address('/?view=trash', heading('The trash is empty')),
};

/** Screens of a repository that holds the sample, by the names of their pictures. */
export const SCENES = {
  desk,
  files: (stage) => tab(stage, /^Files/),
  history: (stage) => tab(stage, 'History'),
  api: (stage) => tab(stage, 'API'),
  batch,
  viewer: (stage) => look(stage, MAP),
  book,
  drop,
  palette,
  keys,
  server: address('/admin/server', heading('Server')),
  watched: address('/admin/watched', heading('Watched folders')),
  'watched-rule': address('/admin/watched?new', heading('Watch a folder')),
  people: address('/admin/people', heading('People')),
  vocabularies: address('/taxonomy/term', heading('Vocabularies')),
  activity: address('/admin/activity', heading('Activity')),
  health: address('/admin/health', heading('Health')),
};

/** Those that the guide shows, and are kept with it. */
export const IN_GUIDE = ['first-run', 'desk', 'drop', 'batch', 'book'];
