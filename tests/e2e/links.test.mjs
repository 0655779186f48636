import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const BOX = 'Harbour charts';
const MAP = 'Isola nova';
const TERM = 'Portolan';
const FILE = 'isola.png';
const SAMPLE = new URL('../samples/20x10.png', import.meta.url);

/** A collection with an item, its scan and a term of this test's own: the path of each. */
async function fill(rest) {
  const [collection, image, use] = await Promise.all([
    rest.term('islandora_models', 'Collection'),
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const box = await rest.createItem(BOX, { field_model: [{ target_id: collection }] });
  const term = await rest.createTerm('genre', TERM);
  const map = await rest.createItem(MAP, {
    field_model: [{ target_id: image }],
    field_member_of: [{ target_id: box.nid[0].value }],
    field_genre: [{ target_id: term.tid[0].value }],
  });
  const nid = map.nid[0].value;
  const bytes = await readFile(SAMPLE);
  const location = await rest.upload(nid, 'image', use, `public://links/${FILE}`, 'image/png', bytes);
  const media = await (await rest.send('GET', `${location}?_format=json`)).json();
  return {
    collection: `/node/${box.nid[0].value}`,
    item: `/node/${nid}`,
    media: new URL(location).pathname,
    file: `/entity/file/${media.field_media_image[0].target_id}`,
    term: `/taxonomy/term/${term.tid[0].value}`,
    user: '/user/1',
  };
}

/** What a person finds where a page opens, by role and name. */
const inspector = (page) => page.getByRole('complementary', { name: 'Inspector' });
const heading = (name) => (page) => page.getByRole('heading', { level: 1, name, exact: true });
const question = (name) => (page) => page.getByRole('dialog', { name, exact: true });
const list = (name) => (page) => page.getByRole('table', { name, exact: true });
const field = (label, value) => (page) => ({
  async waitFor() {
    const input = page.getByRole('textbox', { name: label, exact: true }).first();
    await input.waitFor();
    await until(`${label} is ${value}`, async () => (await input.inputValue()) === value);
  },
});
const chosen = (label, value) => (page) => ({
  async waitFor() {
    const select = page.getByRole('combobox', { name: label });
    await until(`${label} is ${value}`, async () => (await select.inputValue()) === value);
  },
});
const form = (title) => [inspector, field('Title', title)];
const page = (title) => [heading(title), field('Name', title)];

/** What each form and list shows, by the resource whose link leads there and the relation. */
function shownAt(name) {
  return {
    canonical: form(name),
    'edit-form': form(name),
    revision: form(name),
    'delete-form': [question(`Delete ${name === BOX ? 'the collection ' : ''}“${name}”?`)],
    'delete-multiple-form': [question(`Delete ${name === BOX ? 'the collection ' : ''}“${name}”?`)],
    'version-history': [
      inspector,
      (page) => page.getByRole('tab', { name: 'History', selected: true }),
      (page) => page.getByRole('list', { name: 'History' }).getByText('Created'),
    ],
    create: [
      question('New item'),
      (page) => page.getByRole('dialog').getByRole('combobox', { name: 'In' }),
      (page) => page.getByRole('button', { name: 'Create item' }),
    ],
  };
}

const SHOWN = {
  collection: shownAt(BOX),
  item: {
    ...shownAt(MAP),
    'tag Portolan': page(TERM),
    'related Member of': form(BOX),
    'related Original File': page(FILE),
  },
  media: {
    canonical: page(FILE),
    'edit-form': page(FILE),
    revision: page(FILE),
    'add-page': [heading('Add file'), (page) => page.getByRole('link', { name: 'Image', exact: true })],
    'add-form': [
      heading('Add file: Image'),
      (page) => page.getByRole('combobox', { name: 'Use of the files' }),
      (page) => page.getByRole('button', { name: 'Add 1 file' }),
    ],
    collection: [
      heading('All files'),
      (page) => list('All files')(page).getByRole('link', { name: FILE, exact: true }),
    ],
    'delete-form': [question(`Delete “${FILE}”?`)],
    'delete-multiple-form': [question(`Delete “${FILE}”?`)],
    'related Media of': form(MAP),
  },
  file: { 'delete-form': [question(`Delete “${FILE}”?`)] },
  term: {
    canonical: page(TERM),
    'edit-form': page(TERM),
    'delete-form': [question(`Delete the term “${TERM}”?`)],
    create: [
      heading('New term'),
      chosen('Vocabulary', 'genre'),
      (page) => page.getByRole('button', { name: 'Create term' }),
    ],
  },
  user: {
    canonical: [heading('Profile'), (page) => page.getByRole('heading', { name: 'admin', exact: true })],
    'edit-form': [
      heading('Account of admin'),
      field('Name', 'admin'),
      (page) => page.getByRole('checkbox', { name: /^Administrator/, checked: true }),
      (page) => page.getByRole('button', { name: 'Save' }),
    ],
    'cancel-form': [
      question('Disable the account of admin?'),
      (page) => page.getByRole('button', { name: 'Disable account' }),
    ],
    collection: [
      heading('People'),
      (page) => list('People')(page).getByRole('link', { name: 'admin', exact: true }),
      (page) => page.getByRole('button', { name: 'New account…' }),
    ],
  },
};

/** Links to data: a program reads them, no form stands there. */
const DATA = {
  alternate: (answer) => assert.match(answer.headers.get('content-type'), /^application\/ld\+json/),
  describes: async (answer) => assert.deepEqual(await bytesOf(answer), await readFile(SAMPLE)),
};

async function bytesOf(answer) {
  assert.equal(answer.headers.get('content-type'), 'image/png');
  return Buffer.from(await answer.arrayBuffer());
}

/** Only files are put there. */
function takesOnlyFiles(answer) {
  assert.equal(answer.status, 405);
  assert.match(answer.headers.get('allow'), /\bPUT\b/);
}

/** Every link of every resource that leads to this server. */
async function localLinks(rest, resources) {
  const links = [];
  for (const [kind, path] of Object.entries(resources)) {
    const found = (await rest.links(`${path}?_format=json`)).filter(({ target }) =>
      target.startsWith(`${rest.baseUrl}/`),
    );
    assert.ok(found.length > 0, `${path} has no links`);
    for (const { target, relation, title } of found) {
      const named = relation === 'tag' || relation === 'related';
      links.push({ kind, target, relation: named ? `${relation} ${title}` : relation });
    }
  }
  return links;
}

async function opens(page, { kind, target, relation }) {
  const shown = SHOWN[kind]?.[relation];
  assert.ok(shown, `nobody has said what to see at ${relation} of a ${kind}: ${target}`);
  await page.goto(target);
  for (const find of shown) {
    await find(page)
      .waitFor({ timeout: 20_000 })
      .catch((error) => assert.fail(`${relation} of a ${kind}, ${target}: ${error.message}`));
  }
}

test('every link leads to what it names, for a program and in a browser', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const links = await localLinks(rest, await fill(rest));

  for (const { target, relation } of links) {
    const answer = await rest.send('GET', target);
    if (relation === 'edit-media') takesOnlyFiles(answer);
    else assert.equal(answer.status, 200, `${relation} ${target}`);
    await DATA[relation]?.(answer);
  }

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const forms = links.filter(({ relation }) => relation !== 'edit-media' && !(relation in DATA));
  for (const link of forms) await opens(page, link);
  const expected = Object.entries(SHOWN).flatMap(([kind, shown]) =>
    Object.keys(shown).map((relation) => `${kind} ${relation}`),
  );
  const met = new Set(forms.map(({ kind, relation }) => `${kind} ${relation}`));
  assert.deepEqual(
    expected.filter((name) => !met.has(name)),
    [],
    'links that were expected and are not there',
  );
});
