import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { drawScan } from './scan.mjs';
import { LIMIT } from './wait.mjs';

/** The system's Chromium, without the parts that only a window needs; CHROMIUM names another one. */
const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

let browser;

/** One browser for all tests of a file: starting it takes longer than most of them. */
function launch() {
  // Chromium's own sandbox cannot be had as root, and the pages here are our own.
  browser ??= chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
  return browser;
}

/** Call this at the end of a program that is no test. */
export async function closeBrowser() {
  await (await browser)?.close();
  browser = undefined;
}

if (process.argv[1]?.endsWith('.test.mjs')) after(closeBrowser);

/**
 * A page that shares nothing with others, closed when the test `t` has ended. Errors in the page fail the test.
 * `options` are those of Playwright's new page.
 */
export async function openBrowser(t, options = {}) {
  const context = await (await launch()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  page.on('pageerror', (error) => {
    throw error;
  });
  return page;
}

/** Fills in the form and sends it; a wrong password is refused there. */
export async function sendPassword(page, baseUrl, password, name = 'admin') {
  await page.goto(`${baseUrl}/user/login`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signIn(page, baseUrl, password, name = 'admin') {
  await sendPassword(page, baseUrl, password, name);
  // A page that is opened before the answer would be nobody's.
  await page.getByTestId('session-menu').waitFor({ state: 'attached' });
}

export async function signOut(page) {
  await page.getByTestId('session-menu').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
}

export async function makeCollection(page, title) {
  await page.getByRole('button', { name: 'New collection' }).first().click();
  await page.getByTestId('create').getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('button', { name: 'Create collection' }).click();
  await page.getByRole('treeitem', { name: title }).waitFor();
}

/** Draws a scan and hands it to the place that is open, by the browser's own file chooser. */
export async function addScan(page, name) {
  const buffer = Buffer.from(await page.evaluate(drawScan, name), 'base64');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose files…' }).click();
  await (await chooser).setFiles({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: 'Add 1 item' }).click();
}

/** Waits until the card of an item shows a picture that has really been painted. */
export async function pictureIn(page, title) {
  const picture = page.getByRole('gridcell', { name: title }).locator('img').first();
  await picture.waitFor();
  await page.waitForFunction(
    (image) => image.complete && image.naturalWidth > 0,
    await picture.elementHandle(),
  );
}

/** As a person does: choose the item, type over its title, go on. */
export async function retitle(page, from, to) {
  await page.getByRole('gridcell', { name: from }).click();
  const field = page
    .getByRole('complementary', { name: 'Inspector' })
    .getByRole('textbox', { name: 'Title' });
  await field.fill(to);
  await field.blur();
  await page.getByRole('gridcell', { name: to }).waitFor();
}
