import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser } from '../support/browser.mjs';
import { furnish } from '../support/sample_repository.mjs';
import { OPENED_BY_KEYS, openByKeys, openScreen, screensOf } from '../support/screens.mjs';
import { serve } from '../support/serve.mjs';

test('every screen speaks German to whom the system says so, and can be used by everybody', async (t) => {
  const server = await serve(t, undefined, { derivatives: true });
  const screens = screensOf(await furnish(server));
  const page = await openBrowser(t, { locale: 'de-DE' });
  const stage = { page, ...server };
  await page.goto(`${server.baseUrl}/user/login`);
  await page.getByRole('button', { name: 'Anmelden' }).waitFor();
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  await accessible(page, 'sign-in');
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Passwort', { exact: true }).fill(server.password);
  await page.keyboard.press('Enter');
  await page.getByTestId('session-menu').waitFor();

  for (const [name, screen] of Object.entries(screens)) {
    await openScreen(stage, screen);
    await accessible(page, name);
  }
  await openScreen(stage, screens.items);
  for (const [name, opened] of Object.entries(OPENED_BY_KEYS)) {
    await openByKeys(stage, opened);
    await accessible(page, name);
    await page.keyboard.press('Escape');
  }
});
