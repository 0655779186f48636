import { BOOK, card, MAP, openSample } from './steps.mjs';

const shown = (page) => page.locator('[data-testid="picture-stage"][data-state="shown"]').waitFor();

async function look(stage, title) {
  const { page } = stage;
  await openSample(stage);
  await card(page, title).dblclick();
  await shown(page);
}

async function book(stage) {
  const { page } = stage;
  await look(stage, BOOK);
  const two = page.getByRole('button', { name: 'Two pages (B)' });
  if ((await two.getAttribute('aria-pressed')) !== 'true') await two.click();
  await page.keyboard.press('ArrowRight');
  await page.locator('nav [aria-current="page"]').nth(1).waitFor();
  await shown(page);
}

async function info(stage) {
  await look(stage, MAP);
  await stage.page.keyboard.press('i');
  await stage.page.getByTestId('file-facts').waitFor();
  return () => stage.page.keyboard.press('i');
}

async function crop(stage) {
  const { page } = stage;
  await look(stage, MAP);
  await page.keyboard.press('c');
  await page.getByTestId('crop-bar').waitFor();
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp', 'ArrowRight', 'ArrowDown'])
    for (let press = 0; press < (key.startsWith('Shift') ? 30 : 15); press += 1)
      await page.keyboard.press(key);
  return () => page.keyboard.press('Escape');
}

async function turned(stage) {
  const { page } = stage;
  await look(stage, MAP);
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Keep this rotation' }).waitFor();
  return () => page.keyboard.press('Shift+R');
}

async function quickLook(stage) {
  const { page } = stage;
  await openSample(stage);
  await card(page, MAP).click();
  await page.keyboard.press(' ');
  await page.getByTestId('quick-look').getByRole('img').waitFor();
  return () => page.keyboard.press('Escape');
}

/** Looking at the sample. */
export const VIEWER = {
  'quick-look': quickLook,
  viewer: (stage) => look(stage, MAP),
  info,
  crop,
  turned,
  book,
};
