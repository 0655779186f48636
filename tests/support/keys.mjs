import assert from 'node:assert/strict';

/** Presses a key until the keyboard stands on something; more often than `most` nobody would. */
export async function pressUntilOn(page, key, target, most = 60) {
  const element = await target.elementHandle();
  for (let times = 0; times < most; times += 1) {
    if (await element.evaluate((one) => one.contains(document.activeElement))) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} never leads to ${target}`);
}
