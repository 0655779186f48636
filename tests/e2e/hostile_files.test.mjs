import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

/** What a hostile file does if it runs: it makes an item in the name of whoever looks at it. */
const SCRIPT = `
  window.top.postMessage('it runs', '*');
  fetch('/session/token').then((token) => token.text()).then((token) => fetch('/node?_format=json', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': token },
    body: JSON.stringify({ type: [{ target_id: 'page' }], title: [{ value: 'It runs' }] }),
  }));`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${SCRIPT.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</script></svg>`;
const HTML = `<!doctype html><title>hostile</title><script>${SCRIPT}</script>`;

/** Name, MIME type, bytes, and whether a browser may show them where they are. */
const FILES = [
  ['page.zip', 'text/html', HTML, false],
  ['xhtml.zip', 'application/xhtml+xml', HTML.replace('<!doctype html>', ''), false],
  ['picture.zip', 'image/svg+xml', SVG, false],
  ['feed.zip', 'text/xml', SVG, false],
  ['script.zip', 'text/javascript', SCRIPT, false],
  ['unknown.zip', 'application/octet-stream', HTML, false],
  ['text.txt', 'text/plain', HTML, true],
  ['fake.zip', 'image/png', HTML, true],
];

async function storeAll(rest) {
  const use = await rest.term('islandora_media_use', 'Original File');
  const model = await rest.term('islandora_models', 'Binary');
  for (const [name, mime, bytes] of FILES) {
    const { nid } = await rest.createItem(name, { field_model: [{ target_id: model }] });
    const uri = `public://${name}`;
    await rest.upload(nid[0].value, 'file', use, uri, mime, bytes);
  }
}

/** Opens an address in every way in which a page of the same origin could. */
async function openEveryWay(page, address) {
  await page.evaluate(async (source) => {
    const loaded = (element) =>
      new Promise((done) => {
        for (const event of ['load', 'error']) element.addEventListener(event, done);
        // Something that becomes a download tells nobody.
        setTimeout(done, 500);
      });
    for (const [name, attribute] of [
      ['iframe', 'src'],
      ['object', 'data'],
      ['embed', 'src'],
      ['img', 'src'],
    ]) {
      const element = document.createElement(name);
      const done = loaded(element);
      element.setAttribute(attribute, source);
      document.body.append(element);
      await done;
    }
  }, address);
}

/** Goes to an address; true when it is shown, false when it is saved instead. */
async function show(page, address) {
  const saved = page.waitForEvent('download', { timeout: 60_000 }).then(
    () => false,
    () => null,
  );
  const shown = page.goto(address).then(
    () => true,
    () => saved,
  );
  return Promise.race([shown, saved]);
}

test('a stored page, picture or feed runs nothing in the browser of who opens it', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  await storeAll(rest);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.evaluate(() => {
    window.heard = [];
    window.addEventListener('message', ({ data }) => window.heard.push(data));
  });

  const addressOf = (name) => `${baseUrl}/sites/default/files/${name}`;
  for (const [name] of FILES) await openEveryWay(page, addressOf(name));
  const heard = await page.evaluate(() => window.heard.filter((data) => data === 'it runs'));
  assert.deepEqual(heard, [], 'nothing ran in a frame of the page');

  for (const [name, mime, , isShown] of FILES) {
    assert.equal(await show(page, addressOf(name)), isShown, `${name} (${mime}) is shown`);
  }
  const { items } = await (await rest.send('GET', '/api/v1/items?q=runs')).json();
  assert.deepEqual(items, [], 'nothing was made in the name of who looked');
});
