import { Rest } from '../../support/rest.mjs';
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

/** With LAN access, and somebody who guesses. */
async function serverOnLan(stage) {
  const { page, baseUrl, rest } = stage;
  const guess = new Rest(baseUrl, 'a guess', 'rita');
  for (let times = 0; times < 2; times++) await guess.send('GET', '/user/2');
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('switch', { name: 'LAN access', checked: false }).click();
  await page.getByTestId('fingerprint').waitFor();
  await page.getByText(/gave a wrong password/).waitFor();
  return async () => {
    const headers = { 'Content-Type': 'application/json' };
    await rest.send('PATCH', '/api/v1/server', { headers, body: '{"lan":{"enabled":false}}' });
  };
}

async function newToken({ page, baseUrl }) {
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByTestId('new-token').getByRole('textbox', { name: 'Name' }).fill('Scanner room');
}

/** A token that is shown once. What is made here is revoked. */
async function issuedToken(stage) {
  await newToken(stage);
  await stage.page.getByRole('button', { name: 'Create token' }).click();
  await stage.page.getByTestId('issued-token').waitFor();
  return async () => {
    const { tokens } = await (await stage.rest.send('GET', '/api/v1/tokens')).json();
    const made = tokens.find(({ name }) => name === 'Scanner room');
    await stage.rest.send('DELETE', `/api/v1/tokens/${made.id}`);
  };
}

async function revokeToken({ page, baseUrl }) {
  await page.goto(`${baseUrl}/admin/server`);
  await page.getByRole('button', { name: 'Revoke Workbench' }).click();
  await page.getByTestId('revoke-token').waitFor();
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
  'server-lan': serverOnLan,
  'token-new': newToken,
  'token-issued': issuedToken,
  'token-revoke': revokeToken,
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
