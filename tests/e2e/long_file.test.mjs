import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brokenLine } from '../support/broken_line.mjs';
import { makeCollection, openBrowser, signIn } from '../support/browser.mjs';
import { logged, makeFolder, removeFolder } from '../support/program.mjs';
import { serve } from '../support/serve.mjs';

const MEGABYTE = 1024 * 1024;

test('a long file arrives whole over a connection that breaks in the middle', async (t) => {
  const { baseUrl, data, password } = await serve(t);
  const folder = await makeFolder();
  t.after(() => removeFolder(folder));
  const bytes = randomFillSync(Buffer.alloc(72 * MEGABYTE));
  const file = join(folder, 'All the islands.zip');
  await writeFile(file, bytes);
  const line = await brokenLine(t, Number(new URL(baseUrl).port), 40 * MEGABYTE);

  const page = await openBrowser(t);
  await signIn(page, `http://127.0.0.1:${line.port}`, password);
  await makeCollection(page, 'Long files');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  await (await chooser).setFiles(file);
  await page.getByRole('button', { name: 'Add 1 item' }).click();

  const [arrived] = await logged(data, 'PATCH', '/api/v1/uploads/', ' 201 ');
  assert.ok(line.broken, 'the line never broke');
  await logged(data, 'HEAD', '/api/v1/uploads/', ' 204 ');
  await page.getByRole('gridcell', { name: 'All the islands' }).waitFor();

  const media = await page.request.get(`${baseUrl}/api/v1/media?limit=1`);
  assert.ok(media.ok(), arrived);
  const { url } = (await media.json()).media[0].file;
  const answer = await page.request.get(new URL(url, baseUrl).href, {
    headers: { 'Want-Repr-Digest': 'sha-512=1' },
  });
  const expected = createHash('sha512').update(bytes).digest('base64');
  assert.equal(answer.headers()['repr-digest'], `sha-512=:${expected}:`);
  assert.deepEqual(await answer.body(), bytes);
});
