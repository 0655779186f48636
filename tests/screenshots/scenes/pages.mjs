import { OPENED_BY_KEYS, openByKeys, openScreen, screensOf } from '../../support/screens.mjs';

async function activityFiltered({ page, baseUrl }) {
  await page.goto(`${baseUrl}/admin/activity`);
  await page.getByLabel('Action').selectOption('Deleted');
  await page
    .getByRole('row', { name: /deleted/ })
    .first()
    .waitFor();
}

async function needsYou({ page, baseUrl, made }) {
  await page.goto(`${baseUrl}/admin/watched/${made.folder}`);
  await page.getByRole('tab', { name: /need attention/ }).click();
  await page.getByText(/No file can be kept under this name/).waitFor();
}

async function dryRun({ page, baseUrl, made }) {
  await page.goto(`${baseUrl}/admin/watched?new`);
  await page.getByLabel('Folder', { exact: true }).fill(made.box);
  await page.keyboard.press('Tab');
  await page.getByTestId('dry-run').getByRole('row').nth(1).waitFor();
  return async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
  };
}

const scenesOf = (screens) =>
  Object.fromEntries(
    Object.entries(screens).map(([name, screen]) => [`page-${name}`, (stage) => openScreen(stage, screen)]),
  );

/** Every screen that an address opens, and some of their states. */
export const pagesOf = (made) => ({
  ...scenesOf(screensOf(made)),
  'activity-filtered': activityFiltered,
  'watched-needs-you': needsYou,
  'watched-dry-run': dryRun,
});

/** The screens once more, for other people's looks: by their addresses and by keys, without a word of any language. */
export const onceMore = (made) => ({
  ...scenesOf(screensOf(made)),
  ...Object.fromEntries(
    Object.entries(OPENED_BY_KEYS).map(([name, opened]) => [
      `page-${name}`,
      async (stage) => {
        await openScreen(stage, screensOf(made).items);
        await openByKeys(stage, opened);
      },
    ]),
  ),
});
