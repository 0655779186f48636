/** What scenes have in common: the sample, its titles, and how to come to them. */
export const MAP = 'Isola di Portovecchio, con li scogli e secche intorno';
export const BOOK = 'Portolano delle isole, fair copy';
export const SAMPLE = 'Sample: an island book';

export const card = (page, name) => page.getByRole('gridcell', { name, exact: true });
export const inspector = (page) => page.getByRole('complementary', { name: 'Inspector' });
export const heading = (name) => (page) => page.getByRole('heading', { name, exact: true });

/** Goes to an address of the UI and waits until it shows what it is for. */
export const address = (path, shown) => async (stage) => {
  await stage.page.goto(`${stage.baseUrl}${path}`);
  await shown(stage.page).first().waitFor();
};

export async function openSample({ page, baseUrl }) {
  await page.goto(`${baseUrl}/?view=all`);
  await page.getByRole('treeitem', { name: SAMPLE }).click();
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  await card(page, BOOK).locator('img').waitFor();
}

/** The map of the sample, described. */
export async function desk(stage) {
  await openSample(stage);
  await card(stage.page, MAP).click();
  await stage.page.getByRole('textbox', { name: 'Date Created' }).waitFor();
}

/** Hands files to the place that is open, by the browser's own chooser. */
export async function chooseFiles(page, files) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  await (await chooser).setFiles(files);
}
