import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';
import { until } from '../support/wait.mjs';

const TITLE = 'Isola nova';
const SAMPLE = new URL('../samples/20x10.png', import.meta.url);
const VIEWERS = new URL('../../.tools/viewers/', import.meta.url);
const TYPES = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

/** Pages that open a manifest in a viewer, by the name of the viewer. */
const PAGES = {
  mirador: (manifest) => `<!doctype html><div id="viewer"></div>
    <script src="/mirador/dist/mirador.min.js"></script>
    <script>Mirador.viewer({ id: 'viewer', windows: [{ manifestId: '${manifest}' }] });</script>`,
  universalviewer: (manifest) => `<!doctype html>
    <link rel="stylesheet" href="/universalviewer/dist/uv.css">
    <div id="viewer" class="uv" style="width: 1200px; height: 700px"></div>
    <script src="/universalviewer/dist/umd/UV.js"></script>
    <script>UV.init('viewer', { manifest: '${manifest}', embedded: true });</script>`,
};

/** Another site, which has the viewers; its address. */
async function otherSite(t, manifest) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://site').pathname.slice(1);
    const page = PAGES[path]?.(manifest);
    try {
      const body = page ?? (await readFile(new URL(path, VIEWERS)));
      response.setHeader(
        'content-type',
        page ? 'text/html; charset=utf-8' : (TYPES[extname(path)] ?? 'application/octet-stream'),
      );
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

async function makeItem(rest) {
  const [image, use] = await Promise.all([
    rest.term('islandora_models', 'Image'),
    rest.term('islandora_media_use', 'Original File'),
  ]);
  const item = await rest.createItem(TITLE, { field_model: [{ target_id: image }] });
  const nid = item.nid[0].value;
  await rest.upload(nid, 'image', use, 'public://isola.png', 'image/png', await readFile(SAMPLE));
  return nid;
}

test('viewers at another site show the copied manifest', async (t) => {
  const { baseUrl, password } = await serve(t, undefined, { derivatives: true });
  const nid = await makeItem(new Rest(baseUrl, password));
  const page = await openBrowser(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/`);
  await page.getByText(TITLE).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy IIIF manifest' }).click();
  const manifest = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(manifest, `${baseUrl}/iiif/presentation/3/node/${nid}/manifest.json`);
  await page.goto(`${baseUrl}/node/${nid}`);
  await page.getByRole('tab', { name: 'API' }).click();
  const dragged = page.getByRole('link', { name: 'Drag this onto a IIIF viewer' });
  const address = new URL(await dragged.getAttribute('href'));
  assert.equal(address.searchParams.get('manifest'), manifest);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/api.png` });
  const site = await otherSite(t, manifest);
  for (const viewer of Object.keys(PAGES)) {
    const shown = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (response.ok() && /^\/iiif\/image\/3\/.*\.jpg$/.test(pathname)) shown.push(pathname);
    });
    await page.goto(`${site}/${viewer}`);
    await page.getByText(TITLE).first().waitFor();
    await until(`${viewer} shows the picture`, () => shown.length > 0);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${viewer}.png` });
  }
});
