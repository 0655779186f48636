import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const toReference = (nid) => ({ target_id: nid });
/** What was found in an item stands behind its title. */
const cell = (page, title) => page.getByRole('gridcell', { name: new RegExp(`^${title}\\b`) }).first();
const panel = (page) => page.getByRole('complementary', { name: 'Facets' });
const value = (page, words) => panel(page).getByRole('checkbox', { name: words, exact: true });
const chip = (page, words) => page.getByTestId('chips').getByText(words, { exact: true });
const search = (page) => page.getByRole('combobox', { name: 'Search here' });
const chosen = (page) => new URL(page.url()).searchParams.getAll('chosen');

/** Waits until the list holds these items and no others. */
async function lists(page, ...titles) {
  for (const title of titles) await cell(page, title).waitFor();
  const words = titles.length === 1 ? '1 item' : `${titles.length} items`;
  await page.getByTestId('item-count').getByText(words, { exact: true }).waitFor();
}

/** Four items with subjects, agents and dates, one of them for staff only; and a page of the administrator. */
async function withItems(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const term = async (vocabulary, name) => (await rest.createTerm(vocabulary, name)).tid[0].value;
  const [rome, venice] = [await term('subject', 'Rome'), await term('subject', 'Venice')];
  const muller = await term('person', 'Ada Müller');
  const [image, audio] = [
    await rest.term('islandora_models', 'Image'),
    await rest.term('islandora_models', 'Audio'),
  ];
  const put = async (title, subjects, model, year, fields = {}) =>
    rest.createItem(title, {
      field_subject: subjects.map(toReference),
      field_model: [toReference(model)],
      field_edtf_date_created: year ? [{ value: year }] : [],
      ...fields,
    });
  const drawn = {
    field_linked_agent: [{ target_id: muller, rel_type: 'relators:ctg' }],
  };
  await put('Forum', [rome], image, '1901', drawn);
  await put('Both towns', [rome, venice], image, '1902');
  await put('Lagoon', [venice], audio, '1905');
  await put('Hidden', [rome], audio, '', { status: [{ value: false }] });
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await cell(page, 'Forum').waitFor();
  return { page, baseUrl, rome, venice };
}

async function openFacets(page) {
  await page.keyboard.press('Control+Shift+F');
  await panel(page).getByRole('checkbox').first().waitFor();
}

test('values of one facet are any of them, facets together narrow, and each choice is a step', async (t) => {
  const { page, rome, venice } = await withItems(t);
  await openFacets(page);
  await value(page, 'Rome, 3 items').click();
  await lists(page, 'Forum', 'Both towns', 'Hidden');
  // Its own choice changes no count of a facet, but those of others.
  await value(page, 'Venice, 2 items').waitFor();
  await value(page, 'Audio, 1 item').waitFor();
  await value(page, 'Venice, 2 items').click();
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');
  await value(page, 'Image, 2 items').click();
  await lists(page, 'Forum', 'Both towns');
  assert.deepEqual(chosen(page).slice(0, 2), [`subject:${rome}`, `subject:${venice}`]);
  await accessible(page, 'a list that is narrowed by facets');

  await page.reload();
  await lists(page, 'Forum', 'Both towns');
  await chip(page, 'Model: Image').waitFor();
  assert.ok(await value(page, 'Rome, 2 items').isChecked());
  await page.goBack();
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');
  await page.goBack();
  await lists(page, 'Forum', 'Both towns', 'Hidden');
  await page.goForward();
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');

  await page.getByRole('button', { name: 'Remove filter Subject: Rome' }).click();
  await lists(page, 'Both towns', 'Lagoon');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await lists(other, 'Both towns', 'Lagoon');
  await chip(other, 'Subject: Venice').waitFor();
});

test('a narrowed list is selected and changed as a whole', async (t) => {
  const { page, rome } = await withItems(t);
  await page.goto(`${new URL(page.url()).origin}/?chosen=subject:${rome}`);
  await lists(page, 'Forum', 'Both towns', 'Hidden');
  await cell(page, 'Forum').click();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected').first().waitFor();
  await cell(page, 'Forum').waitFor();
  assert.deepEqual(chosen(page), [`subject:${rome}`]);
});

test('bars choose a year and a period, with the mouse and by keyboard', async (t) => {
  const { page } = await withItems(t);
  await openFacets(page);
  const bars = panel(page).getByRole('listbox', { name: 'Items by date' });
  await bars.getByRole('option', { name: '1901: 1 item' }).click();
  await lists(page, 'Forum');
  await chip(page, 'Date: 1901').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('date'), '1901');
  await bars.getByRole('option', { name: '1901: 1 item' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await lists(page, 'Forum', 'Both towns');
  assert.equal(new URL(page.url()).searchParams.get('date'), '1901/1902');
  await panel(page).getByRole('button', { name: 'Any date' }).click();
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');
});

test('facets are operated by keyboard alone, and fold', async (t) => {
  const { page, rome } = await withItems(t);
  await openFacets(page);
  await value(page, 'Rome, 3 items').focus();
  await page.keyboard.press('Space');
  await lists(page, 'Forum', 'Both towns', 'Hidden');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await value(page, 'Rome, 3 items').waitFor({ state: 'detached' });
  await page.reload();
  await panel(page).getByRole('button', { name: 'Subject', expanded: false }).waitFor();
  const remove = page.getByRole('button', {
    name: 'Remove filter Subject: Rome',
  });
  assert.deepEqual(chosen(page), [`subject:${rome}`]);
  await remove.focus();
  await page.keyboard.press('Delete');
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');
  await page.keyboard.press('Control+Shift+F');
  await panel(page).waitFor({ state: 'detached' });
});

test('lists and counts that lack the latest changes are asked for again', async (t) => {
  const { page } = await withItems(t);
  let isBehind = true;
  await page.route(/\/api\/v1\/items(\/facets)?\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const late = { current: false, total: 0, items: [], facets: [], histogram: null };
    await route.fulfill({ response, json: isBehind ? { ...answer, ...late } : answer });
  });
  await page.keyboard.press('Control+Shift+F');
  await search(page).fill('forum');
  await page.getByTestId('search-notes').getByText('The newest changes may be missing here').waitFor();
  await page.getByTestId('item-count').getByText('0 items', { exact: true }).waitFor();
  isBehind = false;
  await lists(page, 'Forum');
  await value(page, 'Rome, 1 item').waitFor();
  await page.getByText('The newest changes may be missing here').waitFor({ state: 'detached' });
});

test('agents are shown by what they did', async (t) => {
  const { page } = await withItems(t);
  await openFacets(page);
  await panel(page).getByLabel('People and bodies: role').selectOption('relators:ctg');
  await value(page, 'Ada Müller, 1 item').click();
  await lists(page, 'Forum');
  await chip(page, 'Cartographer: Ada Müller').waitFor();
  assert.match(chosen(page)[0], /^agent\.relators\.ctg:\d+$/);
});

test('the search box suggests values and titles, and Enter searches', async (t) => {
  const { page } = await withItems(t);
  await search(page).fill('muller');
  await lists(page, 'Forum');
  const offered = page.getByRole('listbox', { name: 'Suggestions' });
  await offered.getByRole('option', { name: /^Ada Müller/ }).waitFor();
  await page.keyboard.press('Escape');
  await offered.waitFor({ state: 'detached' });
  assert.equal(await search(page).inputValue(), 'muller');
  await page.keyboard.press('ArrowDown');
  await offered.waitFor();
  await page.keyboard.press('ArrowDown');
  await accessible(page, 'suggestions');
  await page.keyboard.press('Enter');
  await chip(page, 'People and bodies: Ada Müller').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('q'), null);

  await search(page).fill('lag');
  await offered.getByRole('option', { name: /^Lagoon/ }).click();
  await page.waitForURL(/\/node\/\d+$/);
  await search(page).fill('towns');
  await page.keyboard.press('Enter');
  await lists(page, 'Both towns');
  assert.equal(new URL(page.url()).searchParams.get('q'), 'towns');
});

test('a misspelt word is told words that are one letter off', async (t) => {
  const { page } = await withItems(t);
  await search(page).fill('lagune');
  await page.getByText('No items match “lagune”').waitFor();
  await search(page).fill('lagon');
  const notes = page.getByTestId('search-notes');
  await notes.getByText('Did you mean (one letter off)').waitFor();
  await notes.getByRole('button', { name: 'Search for lagoon instead of lagon' }).click();
  await lists(page, 'Lagoon');
  await page.goBack();
  await notes.getByRole('button', { name: /^Search for lagoon/ }).waitFor();
});

test('a visitor learns nothing of what is hidden', async (t) => {
  const { baseUrl, rome } = await withItems(t);
  const page = await openBrowser(t);
  await page.goto(`${baseUrl}/?chosen=subject:${rome}`);
  await page.getByRole('button', { name: 'Browse public items' }).click();
  await lists(page, 'Forum', 'Both towns');
  await openFacets(page);
  await value(page, 'Rome, 2 items').waitFor();
  await value(page, 'Public, 2 items').waitFor();
  assert.equal(await value(page, /^Staff only/).count(), 0);
});

test('while the index is made the panel says how far it is, and the list works', async (t) => {
  const { page, baseUrl } = await withItems(t);
  const message = 'The index of searches is being made. 42 % are done.';
  const refusal = { status: 503, json: { code: 'index_missing', message } };
  await page.route('**/api/v1/items/facets*', (route) => route.fulfill(refusal));
  await page.goto(baseUrl);
  await cell(page, 'Forum').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await panel(page).getByText('42 %').waitFor();
  await lists(page, 'Forum', 'Both towns', 'Lagoon', 'Hidden');
  await page.unroute('**/api/v1/items/facets*');
  await value(page, 'Rome, 3 items').waitFor();
});

test('German words', async (t) => {
  const { baseUrl, venice } = await withItems(t);
  const page = await openBrowser(t, { locale: 'de-DE' });
  await page.goto(`${baseUrl}/?chosen=subject:${venice}`);
  await page.getByRole('button', { name: 'Öffentliche Objekte ansehen' }).click();
  await chip(page, 'Schlagwort: Venice').waitFor();
  await page.keyboard.press('Control+Shift+F');
  const facets = page.getByRole('complementary', { name: 'Facetten' });
  await facets.getByRole('checkbox', { name: 'Öffentlich, 2 Objekte' }).waitFor();
  await facets.getByRole('checkbox', { name: 'Bild, 1 Objekt' }).waitFor();
});
