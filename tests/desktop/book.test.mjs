import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dragFiles } from '../support/drag.mjs';
import { ask, makeCollection } from '../support/in_window.mjs';
import { mouse } from '../support/mouse.mjs';
import { openProgram } from '../support/program.mjs';
import { until } from '../support/wait.mjs';

const NUMBERS = Array.from({ length: 11 }, (_, index) => index + 1);

test('a folder dragged into the window is a book with its pages in order, described by keys alone', async (t) => {
  const desk = await openProgram(t);
  const folder = join(desk.home, 'Log of 1871');
  await mkdir(folder);
  for (const number of NUMBERS) await writeFile(join(folder, `leaf ${number}.jpg`), `Leaf ${number}\n`);
  const page = await desk.open();
  const items = async (query) => (await ask(page, 'GET', `/api/v1/items?${query}`)).body.items;
  const harbours = await makeSubject(page, 'Harbours');
  await makeCollection(page, 'Log books');

  await dragFiles(desk.display, [folder], await page.pointOf('treeitem', 'Log books'));
  await page.click('button', 'Add 11 items');
  await page.control('gridcell', 'Log of 1871');
  const [book] = await items('q=1871');
  assert.equal(book.model.name, 'Paged Content');
  const pages = () => items(`collection=${book.nid}&sort=weight`);
  await until('all pages are there', async () => (await pages()).length === NUMBERS.length);
  assert.deepEqual(
    (await pages()).map(({ title, weight }) => [title, weight]),
    NUMBERS.map((number) => [`leaf ${number}`, number]),
  );

  await page.click('gridcell', 'Log of 1871');
  await desk.pressUntil('F2', 'a field has the keyboard', () => fieldWithKeyboard(page));
  await until('the subject has the keyboard', async () => {
    if ((await fieldWithKeyboard(page)) === 'field_subject') return true;
    await page.script(() => void (window.left = document.activeElement));
    await mouse(desk.display, ['key', 'Tab']);
    await until('the keyboard is elsewhere', () => page.script(() => document.activeElement !== window.left));
    return false;
  });
  await mouse(desk.display, ['type', '--delay', '40', 'harbours']);
  await mouse(desk.display, ['key', 'Tab']);
  await until('the typed subject is kept', async () => {
    const { body } = await ask(page, 'GET', `/node/${book.nid}?_format=json`);
    return body.field_subject[0]?.target_id === harbours;
  });
});

test('the pages of files that are dragged into the window are counted before anything is sent', async (t) => {
  const desk = await openProgram(t);
  const page = await desk.open();
  await makeCollection(page, 'Log books');
  const files = ['pictures/pages.tif', 'documents/two-pages.pdf'].map((name) =>
    fileURLToPath(new URL(`../samples/${name}`, import.meta.url)),
  );
  await dragFiles(desk.display, files, await page.pointOf('treeitem', 'Log books'));
  const choices = () =>
    page.script(() =>
      [...document.querySelectorAll('[data-testid="drop-sheet"] td option:last-child')].map(
        ({ textContent }) => textContent,
      ),
    );
  await until('they are counted', async () => (await choices()).length === 2);
  assert.deepEqual(await choices(), ['Book of its 3 pages', 'Book of its 2 pages']);
});

async function makeSubject(page, name) {
  const term = { vid: [{ target_id: 'subject' }], name: [{ value: name }] };
  const { status, body } = await ask(page, 'POST', '/taxonomy/term?_format=json', term);
  assert.equal(status, 201);
  return body.tid[0].value;
}

/** The field of the form that has the keyboard; nothing: none. */
const fieldWithKeyboard = (page) =>
  page.script(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'));
