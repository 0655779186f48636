import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPicture, openProgram } from '../support/program.mjs';
import { mouse } from '../support/mouse.mjs';
import { until } from '../support/wait.mjs';

test('the menus of the window are opened by keys and do what the keys do, once', async (t) => {
  const desk = await openProgram(t);
  const page = await desk.open();
  const press = (...keys) => mouse(desk.display, ['key', '--delay', '60', ...keys]);
  await page.control('button', 'New collection');

  await openMenu(desk, 'F10');
  await press('Down', 'Return');
  await page.control('button', 'Create item');
  await press('Escape');
  await until('nothing is open', () => page.script(() => document.querySelector('dialog[open]') === null));

  // The keys are the page's: in a field they are the field's own.
  await desk.press('ctrl+shift+n');
  await page.control('button', 'Create collection');
  assert.equal(await page.script(() => document.querySelectorAll('dialog[open]').length), 1);
  await mouse(desk.display, ['type', 'Maps']);
  await press('ctrl+a');
  await mouse(desk.display, ['type', 'Charts']);
  await press('Return');
  await page.control('treeitem', 'Charts');

  await openMenu(desk, 'alt+e');
  await keepPicture(page, 'menus');
  await press('u');
  await until('the collection is taken back', () =>
    page.script(() => !document.querySelector('[role="tree"]').innerText.includes('Charts')),
  );
});

/** Keys open a menu as soon as the page has said what is in it: then there is another window of the program. */
function openMenu(desk, keys) {
  const windows = async () => {
    const found = await mouse(desk.display, ['search', '--onlyvisible', '--class', 'isolario']);
    return found.trim().split('\n').length;
  };
  return until(`${keys} opens a menu`, async () => {
    const before = await windows();
    await desk.press(keys);
    return (await windows()) > before;
  });
}
