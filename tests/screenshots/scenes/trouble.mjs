import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/wait.mjs';
import { card, desk, heading, inspector, MAP, openSample } from './steps.mjs';

const LISTS = '**/api/v1/items?*';

async function offline(stage) {
  const { page } = stage;
  await desk(stage);
  await page.context().setOffline(true);
  const title = inspector(page).getByRole('textbox', { name: 'Title' });
  await title.fill(`${MAP}, lontana`);
  await title.blur();
  await inspector(page).getByText('Your text is kept on this computer.').waitFor();
  return async () => {
    await page.context().setOffline(false);
    await inspector(page).getByText('Your text is kept on this computer.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.getByText(/^Undone/).waitFor();
  };
}

/** The server does not respond when the page is opened. */
async function unreachable({ page, baseUrl }) {
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.goto(`${baseUrl}/?view=all`);
  await page.getByText('The server does not respond').first().waitFor();
  return () => page.unroute('**/api/v1/**');
}

async function loading({ page, baseUrl }) {
  await page.route(LISTS, () => {});
  await page.goto(`${baseUrl}/?view=all`);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  return () => page.unroute(LISTS);
}

async function failing({ page, baseUrl }) {
  const body = JSON.stringify({ message: 'The database is being restored. Try again in a minute.' });
  await page.route(LISTS, (route) => route.fulfill({ status: 503, contentType: 'application/json', body }));
  await page.goto(`${baseUrl}/?view=all`);
  await heading('This could not be loaded')(page).first().waitFor();
  return () => page.unroute(LISTS);
}

/** Somebody else saves the same field first. */
async function conflict(stage) {
  const { page, rest } = stage;
  await desk(stage);
  const nid = Number(/node\/(\d+)/.exec(page.url())[1]);
  const patch = (title) =>
    rest.send('PATCH', `/node/${nid}?_format=json`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
    });
  const title = inspector(page).getByRole('textbox', { name: 'Title' });
  await page.route(
    `**/node/${nid}?_format=json`,
    async (route) => {
      if (route.request().method() === 'PATCH') await patch('Isola di Porto Vecchio');
      await route.continue();
    },
    { times: 1 },
  );
  await title.fill('Isola di Portovecchio, 1571');
  await title.blur();
  await inspector(page).getByRole('button', { name: 'Take theirs' }).waitFor();
  return async () => {
    await inspector(page).getByRole('button', { name: 'Take theirs' }).click();
    await patch(MAP);
    await page.goto('about:blank');
  };
}

/** Reads all files again, until so many are damaged. */
async function verify(rest, amiss) {
  await rest.send('POST', '/api/v1/fixity');
  await until('the check has ended', async () => {
    return (await (await rest.send('GET', '/api/v1/fixity')).json()).amiss === amiss;
  });
}

/** The status bar warns: the bytes of a file have changed by themselves. */
async function warning(stage) {
  const { page, data, rest } = stage;
  const path = join(data, 'files', 'public', 'log.txt');
  const bytes = await readFile(path);
  await writeFile(path, Buffer.alloc(bytes.length));
  await verify(rest, 1);
  await desk(stage);
  await page.getByTestId('care-cell').getByText('1 failed check').waitFor();
  return async () => {
    await writeFile(path, bytes);
    await verify(rest, 0);
  };
}

/** What happens when something does not go well. */
export const TROUBLE = { offline, unreachable, loading, failing, conflict, warning };

async function readOnly(stage) {
  const { page } = stage;
  await openSample(stage);
  await card(page, MAP).click();
  await inspector(page).getByText('You can view this item, but not change it.').waitFor();
}

const barred =
  (path) =>
  async ({ page, baseUrl }) => {
    await page.goto(`${baseUrl}${path}`);
    await page.getByRole('alert').first().waitFor();
  };

/** What somebody sees who may only read. */
export const READER = {
  'read-only': readOnly,
  'no-permission': barred('/admin/health'),
  'no-permission-people': barred('/admin/people'),
};
