import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from '../support/in_window.mjs';
import { openProgram } from '../support/program.mjs';
import { mouse } from '../support/mouse.mjs';
import { until, within } from '../support/wait.mjs';

test('a folder that is chosen in the window may be watched, and no other, until its rule is saved', async (t) => {
  const desk = await openProgram(t);
  const [scans, other] = ['scans', 'other'].map((name) => join(desk.home, name));
  for (const folder of [scans, other]) await mkdir(folder);
  await writeFile(join(scans, 'leaf.txt'), 'x');
  let page = await desk.open();
  await page.click('button', 'Watched folders');
  await page.click('button', 'Watch a folder…');
  await choose(desk, page, scans);
  assert.deepEqual(await allowed(page), [scans]);
  assert.doesNotMatch(await readFile(join(desk.data, 'config.toml'), 'utf8'), /scans"\]/);
  await page.click('button', 'Watch folder');
  await page.control('heading', 'scans');
  assert.equal(await watch(page, other), 422);

  await desk.close();
  page = await desk.open();
  await page.control('button', 'Watched folders');
  assert.deepEqual(await allowed(page), [scans]);
  await until('the file is in', async () => (await folders(page)).folders[0].counts.done === 1);
});

const DIALOG = ['search', '--onlyvisible', '--name', '^Choose a folder$'];

/** Types the path in the system's own dialog, which a slash opens for it; again where a key is lost. */
async function choose(desk, page, folder) {
  const isOpen = () => mouse(desk.display, DIALOG).then(Boolean, () => false);
  const press = async (...keys) => {
    await mouse(desk.display, [...DIALOG, 'windowactivate', '--sync']);
    await mouse(desk.display, keys);
  };
  const closes = () => within(5000, async () => !(await isOpen()));
  await until('the folder is chosen', async () => {
    await page.click('button', 'Choose…');
    await until('the dialog is there', isOpen);
    await press('type', '--delay', '30', folder);
    await press('key', 'Return');
    if (await closes()) return within(5000, async () => (await allowed(page)).length > 0);
    await until('the dialog is closed', async () => {
      await press('key', 'Escape');
      return closes();
    });
    return false;
  });
}

const folders = async (page) => (await ask(page, 'GET', '/api/v1/watched-folders')).body;

const allowed = async (page) => (await folders(page)).allowed.slice(1);

const watch = async (page, path) => (await ask(page, 'POST', '/api/v1/watched-folders', { path })).status;
