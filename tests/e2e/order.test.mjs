import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A book with so many pages, and a page that shows them in their order. */
async function withBook(t, pages) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Page');
  const book = await rest.createItem('Isolario', {
    field_model: [{ target_id: await rest.term('islandora_models', 'Paged Content') }],
  });
  const nid = book.nid[0].value;
  for (let number = 1; number <= pages; number += 1) {
    await rest.createItem(`Page ${number}`, {
      field_model: [{ target_id: model }],
      field_member_of: [{ target_id: nid }],
      field_weight: [{ value: number }],
    });
  }
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await cell(page, 'Isolario').click({ button: 'right' });
  await page.getByRole('menuitem', { name: `Show ${pages} pages` }).click();
  await cell(page, 'Page 1').waitFor();
  /** The pages as the server has them in order. */
  const order = async () => {
    const answer = await rest.send('GET', `/api/v1/items?collection=${nid}&sort=weight`);
    return (await answer.json()).items.map(({ title }) => Number(title.slice(5)));
  };
  /** The pages as they are shown. */
  const shown = async () => {
    const texts = await page.getByRole('gridcell').allInnerTexts();
    return texts.map((text) => Number(/Page (\d+)/.exec(text)?.[1]));
  };
  const inOrder = (wanted) =>
    until(`the order ${wanted} is kept and shown`, async () =>
      [await order(), await shown()].every((found) => String(found) === String(wanted)),
    );
  return { page, inOrder };
}

const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });

test('the pages of a book are reordered with the mouse and by keys, many at once, with one undo', async (t) => {
  const { page, inOrder } = await withBook(t, 6);
  await cell(page, 'Page 5').click();
  await cell(page, 'Page 6').click({ modifiers: ['Control'] });
  await cell(page, 'Page 6').hover();
  await page.mouse.down();
  const { x, y, height } = await cell(page, 'Page 2').boundingBox();
  await page.mouse.move(x + 20, y + height / 2, { steps: 8 });
  await page.getByTestId('carried').getByText('Move here').waitFor();
  await accessible(page, 'pages on their way');
  await page.mouse.up();
  await page.getByText('Reordered 2 items').waitFor();
  await inOrder([1, 5, 6, 2, 3, 4]);
  await page.keyboard.press('Control+z');
  await page.getByText(/Undone: order of \d items/).waitFor();
  await inOrder([1, 2, 3, 4, 5, 6]);

  await cell(page, 'Page 1').click();
  await page.keyboard.press('Alt+ArrowDown');
  await inOrder([2, 1, 3, 4, 5, 6]);
  // Taken back before it is done: that waits, and takes back this change and no earlier one.
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Control+z');
  await page.getByText(/Undone: order of \d items/).waitFor();
  await inOrder([2, 1, 3, 4, 5, 6]);

  await page.getByRole('button', { name: 'Sort: custom order' }).click();
  await page.getByRole('menuitemradio', { name: 'Title' }).click();
  await cell(page, 'Page 1').click();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('This list is not in custom order.').waitFor();
  await page.getByRole('button', { name: 'Sort by custom order' }).click();
  await page.getByRole('button', { name: 'Sort: custom order' }).waitFor();
});

test('a frame drawn over the ground chooses what it touches, with Ctrl beside what is chosen', async (t) => {
  const { page } = await withBook(t, 6);
  const first = await cell(page, 'Page 1').boundingBox();
  const draw = async (from, to) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.mouse.up();
  };
  const chosen = () => page.getByRole('gridcell', { selected: true }).allInnerTexts();
  await draw({ x: first.x - 6, y: first.y - 6 }, { x: first.x + first.width + 20, y: first.y + 40 });
  await page.getByText('2 selected').waitFor();
  assert.deepEqual(
    (await chosen()).map((text) => text.trim().slice(0, 6)),
    ['Page 1', 'Page 2'],
  );
  const fifth = await cell(page, 'Page 5').boundingBox();
  await page.keyboard.down('Control');
  await draw({ x: fifth.x - 6, y: fifth.y - 2 + fifth.height }, { x: fifth.x + 20, y: fifth.y + 20 });
  await page.keyboard.up('Control');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Control+d');
  await page.getByText('Duplicated 3 items without files').waitFor();
  await cell(page, 'Page 5 (copy)').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'Page 5 (copy)').waitFor({ state: 'detached' });
});

test('a page that is moved faster than it is answered goes as far as it was told', async (t) => {
  const { page, inOrder } = await withBook(t, 6);
  await cell(page, 'Page 1').click();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Alt+ArrowDown');
  await inOrder([2, 3, 4, 1, 5, 6]);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Control+z');
  await inOrder([1, 2, 3, 4, 5, 6]);
});
