import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

test('a file that is dragged out of the browser says where it can be had, and what it is called', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Digital Document');
  const item = await rest.createItem('Field notes', {
    field_model: [{ target_id: model }],
    status: [{ value: false }],
  });
  const use = await rest.term('islandora_media_use', 'Original File');
  await rest.upload(item.nid[0].value, 'document', use, 'public://notes.txt', 'text/plain', 'Rain.');
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/node/${item.nid[0].value}`);
  await page.getByRole('tab', { name: /^Files/ }).click();

  const carried = page.evaluate(
    () =>
      new Promise((resolve) => {
        const read = ({ dataTransfer }) =>
          resolve(['DownloadURL', 'text/uri-list'].map((type) => dataTransfer.getData(type)));
        addEventListener('dragstart', read, { once: true });
      }),
  );
  const box = await page.getByTestId('media').getByText('notes.txt').boundingBox();
  await page.mouse.move(box.x + 8, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 40, { steps: 6 });
  const [download, uri] = await carried;
  await page.mouse.up();

  assert.equal(download, `text/plain:notes.txt:${uri}`);
  // Nobody else sees the item: the address itself lets in who was given it.
  assert.equal(await (await fetch(uri)).text(), 'Rain.');
});
