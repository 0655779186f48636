import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const ATTACK = 'photo\u202egpj.exe';
const PERSIAN = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';

test('what nobody would see in a name is marked wherever the name stands', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const use = await rest.term('islandora_media_use', 'Original File');
  const { nid } = await rest.createItem(ATTACK, { field_model: [{ target_id: model }] });
  await rest.createItem(PERSIAN, { field_model: [{ target_id: model }] });
  const location = `public://${encodeURIComponent('scan\u200b.txt')}`;
  const upload = await rest.send('PUT', `/node/${nid[0].value}/media/file/${use}`, {
    headers: {
      'Content-Type': 'text/plain',
      'Content-Location': location,
      'X-Content-Location-Encoding': 'percent',
    },
    body: 'text',
  });
  assert.equal(upload.status, 201, await upload.text());
  const account = { name: 'ad\u200bmin', password: 'long enough', roles: [] };
  const headers = { 'Content-Type': 'application/json' };
  const made = await rest.send('POST', '/api/v1/users', { headers, body: JSON.stringify(account) });
  assert.equal(made.status, 201, await made.text());

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  const mark = (place, words) => place.getByRole('img', { name: `Hidden character: ${words}` });
  const override = 'right-to-left override (U+202E)';
  const space = 'zero-width space (U+200B)';

  const card = page.getByTestId('card').filter({ hasText: 'gpj.exe' });
  await mark(card, override).waitFor();
  assert.equal(await mark(card, override).getAttribute('title'), `Hidden character: ${override}`);
  assert.ok(!(await card.innerText()).includes('\u202e'), 'the name stands in the order of its letters');
  const innocent = page.getByTestId('card').filter({ hasText: PERSIAN });
  await innocent.waitFor();
  assert.equal(await innocent.getByTestId('hidden-character').count(), 0);

  await card.click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await mark(inspector.locator('[data-field=title]'), override).waitFor();
  await accessible(page, 'a name with a hidden character');
  await inspector.getByRole('tab', { name: 'Files' }).click();
  await mark(inspector, space).first().waitFor();

  await page.getByRole('button', { name: 'Table (Ctrl+2)' }).click();
  await mark(page.getByRole('row').filter({ hasText: 'gpj.exe' }), override).waitFor();
  await page.goto(`${baseUrl}/admin/people`);
  await mark(page.getByRole('table'), space).waitFor();
  await page.goto(`${baseUrl}/admin/activity`);
  await mark(page.getByRole('table'), override).first().waitFor();
});
