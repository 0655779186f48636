import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const card = (page, title) => page.getByRole('gridcell', { name: title, exact: true }).waitFor();

/** A repository with one item, a page on it, and the event streams of its browser: begun, and not ended yet. */
async function withStreams(t) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const make = (title) => rest.createItem(title, { field_model: [{ target_id: model }] });
  await make('Isola prima');
  const page = await openBrowser(t);
  const streams = new Map();
  const isStream = (request) => request.url().includes('/api/v1/events');
  const context = page.context();
  context.on('request', (request) => isStream(request) && streams.set(request, request.frame().page()));
  context.on('requestfailed', (request) => streams.delete(request));
  context.on('requestfinished', (request) => streams.delete(request));
  await signIn(page, baseUrl, password);
  await card(page, 'Isola prima');
  return { baseUrl, rest, make, page, streams };
}

test('twenty tabs load and see every change, also when the one that listens has closed', async (t) => {
  const { baseUrl, make, page, streams } = await withStreams(t);
  const pages = [page];
  while (pages.length < 20) {
    const next = await page.context().newPage();
    await next.goto(`${baseUrl}/`);
    await card(next, 'Isola prima');
    pages.push(next);
  }
  await make('Isola seconda');
  for (const each of pages) await card(each, 'Isola seconda');
  assert.equal(streams.size, 1);
  const [leader] = streams.values();
  await leader.close();
  await make('Isola terza');
  const others = pages.filter((each) => each !== leader);
  assert.equal(others.length, 19);
  for (const each of others) await card(each, 'Isola terza');
});

test('eight addresses in one tab answer, and a page that one comes back to listens again', async (t) => {
  const { baseUrl, make, page, streams } = await withStreams(t);
  for (let visit = 0; visit < 8; visit += 1) {
    await page.goto(`${baseUrl}/?visit=${visit}`);
    await card(page, 'Isola prima');
  }
  // This browser keeps no left page, so one is told that it is left, and shown again.
  const tell = (event) =>
    page.evaluate((name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true })), event);
  await tell('pagehide');
  await until('the stream has ended', () => streams.size === 0);
  await make('Isola seconda');
  await tell('pageshow');
  await card(page, 'Isola seconda');
});

/** Adds a file for each name, by the browser's own file chooser. */
async function addFiles(page, names) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  const buffer = Buffer.from('words');
  const files = names.map((name) => ({ name: `${name}.txt`, mimeType: 'text/plain', buffer }));
  await (await chooser).setFiles(files);
  await page.getByRole('button', { name: `Add ${names.length} items` }).click();
}

test('tabs that upload leave connections to the others', async (t) => {
  const { baseUrl, rest, page } = await withStreams(t);
  const other = await page.context().newPage();
  await other.goto(`${baseUrl}/`);
  await card(other, 'Isola prima');
  const held = [];
  const hold = (route) => (route.request().method() === 'PUT' ? held.push(route) : route.continue());
  await page.context().route('**/node/*/media/**', hold);
  await addFiles(page, ['a', 'b', 'c']);
  await addFiles(other, ['d', 'e', 'f']);
  await until('each file has its item', async () => {
    const answer = await rest.send('GET', '/api/v1/counts');
    return (await answer.json()).all === 7;
  });
  await until('some are sent', () => held.length >= 3);
  for (let sent = 0; sent < 6; sent += 1) {
    await until('one is sent', () => held.length > 0);
    assert.ok(held.length <= 3);
    await held.shift().continue();
  }
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await card(page, name);
});
