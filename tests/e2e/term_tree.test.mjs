import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const link = (page, name) => page.getByRole('link', { name, exact: true });

/** The page of a vocabulary with the terms Atlases, Globes and Maps. */
async function openTree(t, options) {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  for (const name of ['Maps', 'Globes', 'Atlases']) await rest.createTerm('subject', name);
  const page = await openBrowser(t, options);
  await signIn(page, baseUrl, password);
  await page.goto(`${baseUrl}/taxonomy/term?vocabulary=subject`);
  await link(page, 'Maps').waitFor();
  /** Waits for the names as they stand, each with how many terms it lies below. */
  const until = (...names) =>
    page
      .waitForFunction(
        (wanted) => {
          const rows = [...document.querySelectorAll('[data-branch]')].map((branch) => {
            const name = branch.querySelector('a').textContent;
            let above = 0;
            while ((branch = branch.parentElement.closest('[data-branch]'))) above += 1;
            return '-'.repeat(above) + name;
          });
          window.shownTree = rows.join();
          return window.shownTree === wanted;
        },
        names.join(),
        { timeout: 8000 },
      )
      .catch(async (error) => {
        assert.equal(await page.evaluate(() => window.shownTree), names.join());
        throw error;
      });
  return { page, rest, until };
}

const undo = (page) => page.getByRole('button', { name: 'Undo', exact: true }).click();

const focused = (page, name) =>
  page.waitForFunction((wanted) => document.activeElement.textContent === wanted, name);

test('keys order and nest terms, and each undo takes one move back', async (t) => {
  const { page, until } = await openTree(t);
  await until('Atlases', 'Globes', 'Maps');
  await link(page, 'Maps').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await until('Atlases', 'Maps', 'Globes');
  await focused(page, 'Maps');
  await page.keyboard.press('Alt+ArrowRight');
  await until('Atlases', '-Maps', 'Globes');
  await focused(page, 'Maps');
  await accessible(page, 'the tree of terms');
  await page.keyboard.press('ArrowDown');
  await focused(page, 'Globes');
  await page.keyboard.press('Alt+ArrowRight');
  await until('Atlases', '-Maps', '-Globes');
  await focused(page, 'Globes');
  await page.keyboard.press('Alt+ArrowUp');
  await until('Atlases', '-Globes', '-Maps');
  await focused(page, 'Globes');
  await page.keyboard.press('Alt+ArrowLeft');
  await until('Atlases', '-Maps', 'Globes');
  await undo(page);
  await until('Atlases', '-Globes', '-Maps');
  await page.keyboard.press('Control+z');
  await until('Atlases', '-Maps', '-Globes');
});

/** Drags a term to a part of the height of another one's row. */
async function drag(page, name, onto, part) {
  const box = async (one) => page.locator('[data-term]', { has: link(page, one) }).boundingBox();
  const [from, to] = [await box(name), await box(onto)];
  await page.mouse.move(from.x + 300, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 320, to.y + to.height / 2);
  await page.mouse.move(to.x + 320, to.y + to.height * part);
  await page.getByTestId('carried-term').waitFor();
  await page.mouse.up();
}

test('terms are dragged onto and between others, and never below themselves', async (t) => {
  const { page, until } = await openTree(t);
  await drag(page, 'Maps', 'Globes', 0.5);
  await until('Atlases', 'Globes', '-Maps');
  await drag(page, 'Atlases', 'Maps', 0.9);
  await until('Globes', '-Maps', '-Atlases');
  await drag(page, 'Atlases', 'Maps', 0.1);
  await until('Globes', '-Atlases', '-Maps');
  await drag(page, 'Globes', 'Maps', 0.5);
  await until('Globes', '-Atlases', '-Maps');
  await drag(page, 'Maps', 'Globes', 0.1);
  await until('Maps', 'Globes', '-Atlases');
  await undo(page);
  await until('Globes', '-Atlases', '-Maps');
});

test('a branch opens and closes, and a search shows a list', async (t) => {
  const { page, rest, until } = await openTree(t);
  const maps = await rest.term('subject', 'Maps');
  await rest.createTerm('subject', 'Sea charts', { parent: [{ target_id: maps }] });
  await page.getByRole('button', { name: 'Terms below Maps' }).click();
  await until('Atlases', 'Globes', 'Maps', '-Sea charts');
  await link(page, 'Sea charts').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await until('Atlases', 'Globes', 'Maps');
  await page.getByRole('searchbox', { name: 'Search terms' }).fill('sea');
  await link(page, 'Sea charts').waitFor();
  assert.equal(await link(page, 'Globes').count(), 0);
});
