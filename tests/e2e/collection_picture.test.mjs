import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });
const row = (page, name) => page.getByRole('treeitem', { name, exact: true });
/** The two samples differ in their proportions. */
const isWide = (image) => image.complete && image.naturalWidth === 2 * image.naturalHeight;
const isNarrow = (image) => image.complete && image.naturalWidth < 2 * image.naturalHeight;

async function withPictures(rest) {
  const model = async (name) => [{ target_id: await rest.term('islandora_models', name) }];
  const put = async (title, parent, kind) => {
    const fields = { field_model: await model(kind), field_member_of: parent ? [{ target_id: parent }] : [] };
    return (await rest.createItem(title, fields)).nid[0].value;
  };
  const port = await put('Port', null, 'Collection');
  const harbour = await put('Harbour', port, 'Collection');
  const use = await rest.term('islandora_media_use', 'Original File');
  for (const [title, sample] of [
    ['First', '7x5.png'],
    ['Second', '20x10.png'],
  ]) {
    const bytes = await readFile(new URL(`../samples/${sample}`, import.meta.url));
    await rest.upload(
      await put(title, harbour, 'Image'),
      'image',
      use,
      `public://${sample}`,
      'image/png',
      bytes,
    );
  }
}

/** Waits until the card of the collection, beside others of its parent, shows such a picture. */
async function shows(page, isSuch) {
  await row(page, 'Port').click();
  const image = cell(page, 'Harbour').locator('img').first();
  await image.waitFor();
  await page.waitForFunction(isSuch, await image.elementHandle());
}

async function openHarbour(page) {
  await row(page, 'Port').click();
  await cell(page, 'Harbour').dblclick();
  await cell(page, 'Second').waitFor();
}

test('an item becomes the picture of its collection, by menu and palette, and that is undone and taken back', async (t) => {
  const { baseUrl, password } = await serve(t);
  await withPictures(new Rest(baseUrl, password));
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await shows(page, isNarrow);
  await openHarbour(page);
  await cell(page, 'Second').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Use as picture of the collection' }).click();
  await page.getByText('“Second” is the picture of “Harbour”').waitFor();
  await shows(page, isWide);
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone/).waitFor();
  await shows(page, isNarrow);

  await openHarbour(page);
  await cell(page, 'Second').click();
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette').getByRole('combobox').fill('picture of the coll');
  await page.keyboard.press('Enter');
  await page.getByText('“Second” is the picture of “Harbour”').waitFor();
  await cell(page, 'First').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Use as picture of the collection' }).click();
  await page.getByText('“First” is the picture of “Harbour”').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone/).waitFor();
  await shows(page, isWide);
  await cell(page, 'Harbour').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Use automatic picture' }).click();
  await page.getByText('“Harbour” shows the first picture in it again').waitFor();
  await shows(page, isNarrow);
});
