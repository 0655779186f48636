import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the screen calls a thing is in what screen readers call it, so that it can be asked for by voice. */
const EVERYTHING = { rules: { 'label-content-name-mismatch': { enabled: true } } };
/** All that other colours can change. */
const COLOURS = { runOnly: ['color-contrast'] };

function violations(page, options) {
  return page.evaluate(async (options) => {
    // What is still appearing has other colours on its way.
    const moving = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime < Infinity);
    const still = Promise.allSettled(moving.map((one) => one.finished));
    // A page that draws nothing moves nothing to its end.
    await Promise.race([still, new Promise((resolve) => setTimeout(resolve, 10_000))]);
    const found = await window.axe.run(document, { resultTypes: ['violations'], ...options });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
    );
  }, options);
}

/** Asks axe whether people with disabilities can use what the page shows now; `screen` says what that is. */
export async function usable(page, screen) {
  await page.evaluate(AXE);
  assert.deepEqual(await violations(page, EVERYTHING), [], screen);
}

/** Asks it of the page light and dark. */
export async function accessible(page, screen) {
  await usable(page, screen);
  // Colours that are on their way to others are neither.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  assert.deepEqual(await violations(page, COLOURS), [], `${screen}, dark`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
}
