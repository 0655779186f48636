import { card, desk, MAP, openSample, SAMPLE } from './steps.mjs';

const FIELD = 'Extent';

async function tab(stage, name) {
  await desk(stage);
  await stage.page.getByRole('tab', { name }).click();
}

async function table(stage) {
  await openSample(stage);
  await stage.page.keyboard.press('Control+2');
  await stage.page.getByRole('row', { name: /Montalbo/ }).click();
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

async function filtered(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.getByTestId('search').fill('no such island');
  await page.getByText('No items match').waitFor();
}

async function filter(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.getByTestId('add-filter').click();
  await page.getByRole('menuitem', { name: 'Is missing' }).click();
  await page.getByRole('option').first().waitFor();
}

async function columns(stage) {
  await table(stage);
  await stage.page
    .getByTestId('columns-cell')
    .getByRole('button')
    .or(stage.page.getByTestId('columns-cell'))
    .first()
    .click();
  await stage.page.getByTestId('columns').waitFor();
}

async function menu(stage) {
  await openSample(stage);
  await card(stage.page, MAP).click({ button: 'right' });
  await stage.page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
}

async function move(stage) {
  await desk(stage);
  await card(stage.page, MAP).click();
  await stage.page.keyboard.press('Control+m');
  await stage.page.getByTestId('move').waitFor();
}

async function erase(stage) {
  await desk(stage);
  await card(stage.page, MAP).click();
  await stage.page.keyboard.press('Delete');
  await stage.page.getByTestId('erase').waitFor();
}

async function eraseMany(stage) {
  await table(stage);
  await stage.page.keyboard.press('Control+a');
  await stage.page.keyboard.press('Delete');
  await stage.page.getByRole('button', { name: /^Delete \d+ items/ }).waitFor();
}

/** Some entries of the trash, selected. */
async function trashSelected({ page, baseUrl, rest, tidy }) {
  const field_model = [{ target_id: await rest.term('islandora_models', 'Image') }];
  for (const title of ['Quay, before the fire', 'Quay, after the fire', 'Harbour mouth', 'Mole', 'Lantern']) {
    const made = await rest.createItem(title, { field_model });
    await rest.send('DELETE', `/api/v1/items/${made.nid[0].value}`);
  }
  await page.goto(`${baseUrl}/?view=trash`);
  await page.getByRole('checkbox', { name: 'Select Mole' }).check();
  await page.getByRole('checkbox', { name: 'Select Quay, after the fire' }).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  return tidy;
}

async function trashPurge(stage) {
  const leave = await trashSelected(stage);
  await stage.page.getByRole('button', { name: 'Delete permanently…' }).click();
  await stage.page.getByRole('button', { name: 'Delete 3 entries permanently' }).waitFor();
  return leave;
}

/** A description that is about to be pasted onto the other items. */
async function description(stage) {
  await table(stage);
  await stage.page.keyboard.press('Control+Shift+C');
  await stage.page.getByText('Copied the description').waitFor();
  await stage.page.keyboard.press('Control+a');
  await stage.page.keyboard.press('Control+Shift+V');
  await stage.page.getByRole('radio', { name: 'Replace values' }).check();
  await stage.page.getByRole('button', { name: /^Apply \([1-9]\d*\)$/ }).waitFor();
}

async function eraseCollection(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.getByRole('treeitem', { name: SAMPLE }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete collection…' }).click();
  await page.getByTestId('erase-collection').waitFor();
}

async function create(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New item…' }).click();
  await page.getByTestId('create').waitFor();
}

async function compare(stage) {
  const { page } = stage;
  await page.goto(`${stage.baseUrl}/node/${stage.made.told}/revisions?view=all`);
  await page.getByRole('list', { name: 'History' }).getByRole('button').first().click();
  await page.getByTestId('compare').getByRole('row').nth(1).waitFor();
}

async function palette(stage) {
  const { page } = stage;
  await openSample(stage);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('isol');
  await page.getByRole('option', { name: new RegExp(MAP) }).waitFor();
}

async function keys(stage) {
  await openSample(stage);
  await stage.page.keyboard.press('?');
  await stage.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
}

/** The desk with the sample. */
export const DESK = {
  desk,
  table,
  files: (stage) => tab(stage, /^Files/),
  history: (stage) => tab(stage, 'History'),
  api: (stage) => tab(stage, 'API'),
  batch,
  filtered,
  filter,
  columns,
  menu,
  move,
  erase,
  'erase-many': eraseMany,
  'erase-collection': eraseCollection,
  'trash-selected': trashSelected,
  'trash-purge': trashPurge,
  description,
  create,
  compare,
  palette,
  keys,
};
