import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

/** A repository with so many sheets, and a page that shows them. `changes` are the changes that the page asks for. */
async function withSheets(t, count) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const nids = [];
  for (let number = 1; number <= count; number += 1) {
    const made = await rest.createItem(`Sheet ${number}`, { field_model: [{ target_id: model }] });
    nids.push(made.nid[0].value);
  }
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByRole('gridcell', { name: `Sheet ${count}`, exact: true }).waitFor();
  const changes = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // What is asked, and what is said of the open item, changes nothing.
    if (request.method() !== 'GET' && !/\/preview$|\/presence\//.test(pathname))
      changes.push(`${request.method()} ${pathname}`);
  });
  const status = async (nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).status;
  const statuses = async () => [...new Set(await Promise.all(nids.map(status)))];
  return { page, rest, nids, changes, status, statuses };
}

const all = async (page) => {
  await page
    .getByRole('gridcell', { name: /^Sheet/ })
    .first()
    .click();
  await page.keyboard.press('Control+a');
};

test('thirty items are deleted by one request, and one undo brings all of them back', async (t) => {
  const { page, changes, statuses } = await withSheets(t, 30);
  await all(page);
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete 30 items' }).click();
  await page.getByText('Deleted 30 items').waitFor();
  assert.deepEqual(changes, ['POST /api/v1/batches']);
  assert.deepEqual(await statuses(), [404]);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: deleted 30 items').waitFor();
  assert.deepEqual(await statuses(), [200]);
  await page.getByRole('gridcell', { name: 'Sheet 30', exact: true }).waitFor();
  assert.equal(changes.length, 2);
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('Redone: deleted 30 items').waitFor();
  assert.deepEqual(await statuses(), [404]);

  await page.goto(new URL('/admin/activity', page.url()).href);
  // The undo has an entry of its own; the newest is the deletion that was done again.
  await page.getByRole('button', { name: '30 items: undone', exact: true }).waitFor();
  await page.getByRole('button', { name: '30 items', exact: true }).first().click();
  const dialog = page.getByTestId('batch-items');
  await dialog.getByRole('link', { name: 'Sheet 30', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Undo 30' }).click();
  await page.getByText('Undone: 30 items').waitFor();
  assert.deepEqual(await statuses(), [200]);
});

test('a deletion of many is stopped, says how far it came, and is undone', async (t) => {
  const { page, rest, nids, status } = await withSheets(t, 450);
  await all(page);
  await page.keyboard.press('Delete');
  await page.getByText('450 selected', { exact: true }).waitFor();
  // The answer that the deletion has begun comes when it is stopped already.
  await page.route('**/api/v1/batches', async (route) => {
    const answer = await route.fetch();
    const { id } = await answer.json();
    await rest.send('POST', `/api/v1/batches/${id}/cancel`);
    await route.fulfill({ response: answer });
  });
  const question = page.getByTestId('erase');
  await question.getByRole('button', { name: 'Delete 450 items' }).click();
  await question.getByText(/\d+ deleted, \d+ not\./).waitFor();
  await accessible(page, 'a deletion that was stopped');
  const gone = (await Promise.all(nids.map(status))).filter((one) => one === 404).length;
  await question.getByText(`${gone} deleted, ${450 - gone} not.`).waitFor();
  await question.getByRole('button', { name: 'Close' }).first().click();
  if (gone === 0) return;
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone: /).waitFor();
  assert.deepEqual([...new Set(await Promise.all(nids.map(status)))], [200]);
});

test('entries of the trash are selected, counted, restored with one undo, and purged', async (t) => {
  const { page, rest, nids, changes, statuses } = await withSheets(t, 6);
  for (const nid of nids) await rest.send('DELETE', `/node/${nid}?_format=json`);
  // The tree loses rows when the last item is gone, and a click may miss the one that moves.
  await until('the trash is shown', async () => {
    await page.getByRole('treeitem', { name: 'Trash' }).click();
    return page.getByRole('heading', { name: 'Trash' }).isVisible();
  });
  const box = (number) => page.getByRole('checkbox', { name: `Select Sheet ${number}`, exact: true });
  await box(5).check();
  await box(2).click({ modifiers: ['Shift'] });
  await page.getByText('4 selected', { exact: true }).waitFor();
  await accessible(page, 'selected entries of the trash');
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
  await page.getByText('Restored 4 entries').waitFor();
  assert.deepEqual(changes, ['POST /api/v1/batches']);
  await box(2).waitFor({ state: 'detached' });
  assert.deepEqual(await statuses(), [404, 200]);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: restored 4 entries').waitFor();
  await box(2).waitFor();
  assert.deepEqual(await statuses(), [404]);

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByText('6 selected', { exact: true }).waitFor();
  await box(1).uncheck();
  await page.getByRole('button', { name: 'Delete permanently…' }).click();
  const question = page.getByTestId('empty-trash');
  await question.getByText('5 entries are deleted.').waitFor();
  await accessible(page, 'the question before entries are purged');
  await question.getByRole('button', { name: 'Delete 5 entries permanently' }).click();
  await page.getByText('Deleted 5 entries permanently').waitFor();
  await box(2).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('checkbox', { name: /^Select Sheet/ }).count(), 1);
});

test('a description is pasted onto many items by one request, and undone by one', async (t) => {
  const { page, rest, nids, changes } = await withSheets(t, 40);
  const others = nids.slice(0, -1);
  const headers = { 'Content-Type': 'application/json' };
  const described = { type: [{ target_id: 'islandora_object' }], field_extent: [{ value: '13 × 18 cm' }] };
  const body = JSON.stringify(described);
  assert.equal(
    (await rest.send('PATCH', `/node/${nids.at(-1)}?_format=json`, { headers, body })).status,
    200,
  );
  await page.getByRole('gridcell', { name: 'Sheet 40', exact: true }).click();
  await page.keyboard.press('Control+Shift+C');
  await page.getByText('Copied the description of “Sheet 40”').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Shift+V');
  const sheet = page.getByTestId('description');
  await sheet.getByText('39 items will change').waitFor();
  await sheet.locator('li', { hasText: 'Extent' }).getByText('changes 39 of 40').waitFor();
  await sheet.getByRole('button', { name: 'Apply (39)' }).click();
  await page.getByText('Applied to 39 items').waitFor();
  assert.deepEqual(changes, ['POST /api/v1/batches']);
  const extents = async () => {
    const nodes = others.map(async (nid) => (await rest.send('GET', `/node/${nid}?_format=json`)).json());
    return new Set((await Promise.all(nodes)).map(({ field_extent }) => field_extent[0]?.value));
  };
  assert.deepEqual(await extents(), new Set(['13 × 18 cm']));
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: Extent of 39 items').waitFor();
  assert.deepEqual(await extents(), new Set([undefined]));
});
