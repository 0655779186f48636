import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A repository with one item whose description is open in a page. */
async function withForm(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const made = await rest.createItem('Isola nova', { field_model: [{ target_id: model }] });
  const nid = made.nid[0].value;
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: 'Isola nova' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const field = (name) => inspector.getByRole('textbox', { name, exact: true });
  await field('Title').waitFor();
  const change = async (fields) => {
    const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], ...fields });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body });
    assert.equal(answer.status, 200, await answer.text());
  };
  const read = async (name) => {
    const entity = await (await rest.send('GET', `/node/${nid}?_format=json`)).json();
    return entity[name][0]?.value ?? null;
  };
  const saved = (name, value) => until(`${name} is ${value}`, async () => (await read(name)) === value);
  return { page, rest, baseUrl, inspector, field, change, read, saved };
}

test('somebody else changed it meanwhile: another field is no matter, the same one is a choice', async (t) => {
  const { page, inspector, field, change, read, saved } = await withForm(t);
  await field('Extent').fill('1 map');
  await change({ field_rights: [{ value: 'Out of copyright' }] });
  await field('Extent').blur();
  await saved('field_extent', '1 map');
  assert.equal(await read('field_rights'), 'Out of copyright', 'their change stays');

  const conflict = inspector
    .getByRole('alert')
    .filter({ hasText: 'admin changed this field in the meantime' });
  await field('Title').fill('Isola mia');
  await change({ title: [{ value: 'Isola loro' }] });
  await field('Title').blur();
  await conflict.getByText('Isola loro').waitFor();
  await conflict.getByText('Isola mia').waitFor();
  await accessible(page, 'a choice after a conflict');
  assert.equal(await read('title'), 'Isola loro');
  await field('Extent').fill('2 maps');
  await change({ field_extent: [{ value: '3 maps' }] });
  await field('Extent').blur();
  const other = conflict.filter({ hasText: '3 maps' });
  await other.getByRole('button', { name: 'Take theirs' }).click();
  await until('theirs stands there', async () => (await field('Extent').inputValue()) === '3 maps');

  await conflict.getByRole('button', { name: 'Keep yours' }).click();
  await saved('title', 'Isola mia');
  assert.equal(await conflict.count(), 0);
  // What was kept is a change like any other.
  await page.keyboard.press('Control+z');
  await saved('title', 'Isola loro');
});

test('what is typed while the line is down stays, and is saved when it is back', async (t) => {
  const { page, inspector, field, read, saved } = await withForm(t);
  await page.context().setOffline(true);
  await field('Title').fill('Isola lontana');
  await field('Title').blur();
  await inspector
    .getByText('Not saved: the server does not respond. Your text is kept on this computer.')
    .waitFor();
  await accessible(page, 'a field that could not be saved');
  assert.equal(await read('title'), 'Isola nova');
  await page.context().setOffline(false);
  await saved('title', 'Isola lontana');
  await inspector.getByText('Your text is kept on this computer.').waitFor({ state: 'detached' });
});

test('what was typed and not saved is there again after the page was lost', async (t) => {
  const { page, field, read, saved } = await withForm(t);
  await field('Title').fill('Isola a metà');
  // The page goes without the field having been left.
  const address = page.url();
  await page.goto('about:blank');
  // What the list knows of the item comes after the form.
  let giveDetails;
  const formLoaded = new Promise((resolve) => (giveDetails = resolve));
  await page.route(/\/api\/v1\/items\/\d+$/, async (route) => {
    await formLoaded;
    await route.continue();
  });
  await page.goto(address);
  await field('Title').waitFor();
  giveDetails();
  assert.equal(await field('Title').inputValue(), 'Isola a metà');
  assert.equal(await read('title'), 'Isola nova');
  await page.getByText('Unsaved draft.').waitFor();
  await page.getByRole('button', { name: 'Save again' }).click();
  await saved('title', 'Isola a metà');
});

test('what was typed on a page of its own and not saved is there again too', async (t) => {
  const { page, rest, baseUrl } = await withForm(t);
  const term = await rest.createTerm('geo_location', 'Isola vecchia');
  const tid = term.tid[0].value;
  await page.goto(`${baseUrl}/taxonomy/term/${tid}`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Isola bella');
  await page.goto('about:blank');
  await page.goto(`${baseUrl}/taxonomy/term/${tid}`);
  await page.getByText('Unsaved draft.').waitFor();
  assert.equal(await name.inputValue(), 'Isola bella');
  await page.getByRole('button', { name: 'Save again' }).click();
  const read = async () =>
    (await (await rest.send('GET', `/taxonomy/term/${tid}?_format=json`)).json()).name[0].value;
  await until('the name is saved', async () => (await read()) === 'Isola bella');
});

test('what is changed back before the answer to its save has come is saved too', async (t) => {
  const { page, inspector, saved } = await withForm(t);
  const answers = [];
  await page.route('**/node/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const response = await route.fetch();
    answers.push(() => route.fulfill({ response }));
  });
  const visible = inspector.getByRole('switch', { name: 'Visibility' });
  await visible.click();
  await saved('status', false);
  await visible.click();
  assert.equal(await visible.getAttribute('aria-checked'), 'true');
  for (const turn of [1, 2]) {
    await until(`save ${turn} is answered`, () => answers.length > 0);
    await answers.shift()();
  }
  await saved('status', true);
});
