import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../stage/browser.mjs';
import { Rest } from '../stage/rest.mjs';
import { serve } from '../stage/serve.mjs';

/** More than one page of a history holds. */
const VERSIONS = 120;

test('a long history is read to its beginning', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const item = await rest.createItem('Begun', { field_model: [{ target_id: model }] });
  const nid = item.nid[0].value;
  for (let version = 2; version <= VERSIONS; version += 1) {
    const body = JSON.stringify({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: `Changed ${version}` }],
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body });
    assert.equal(answer.status, 200);
  }

  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByTestId('session-menu').waitFor();
  await page.goto(`${baseUrl}/node/${nid}`);
  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History' });
  const versions = history.getByRole('listitem');
  await versions.first().waitFor();
  const first = history.getByText(`Version ${item.vid[0].value}`, { exact: false });
  assert.ok((await versions.count()) < VERSIONS, 'one page');
  await page.getByRole('button', { name: 'Show more' }).click();
  await first.last().waitFor();
  assert.equal(await versions.count(), VERSIONS);
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});
