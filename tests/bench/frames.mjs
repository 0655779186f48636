/**
 * How smoothly the list of items scrolls in a real page, beside a page of plain rows in the same browser.
 * frames.mjs ADDRESS NAME PASSWORD SECONDS prints one line of JSON: the frame time, in milliseconds, that 99 of 100
 * frames stay below, of the list (`list`), of jumps to far places of it (`jumps`) and of the plain rows (`plain`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { signIn } from '../support/browser.mjs';

const [address, name, password, seconds] = process.argv.slice(2);
const SPAN = Number(seconds) * 1000;
/** Rows of the page that has nothing to do but scroll. */
const PLAIN = `<!doctype html><style>p { height: 60px; margin: 0 }</style>${'<p>An island</p>'.repeat(20_000)}`;

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(PLAIN);
  const plain = await framesOf(page, wheel);
  await signIn(page, address, password, name);
  await page.getByRole('grid', { name: 'Items' }).getByRole('gridcell').first().waitFor();
  const list = await framesOf(page, wheel);
  const jumps = await framesOf(page, jump);
  console.log(JSON.stringify({ list, jumps, plain }));
} finally {
  await browser.close();
}

/** Does something again and again for a while, and counts the frames of the page meanwhile. */
async function framesOf(page, act) {
  await page.mouse.move(600, 450);
  await page.evaluate(() => {
    window.frames = [];
    let last = performance.now();
    const count = (now) => {
      window.frames?.push(now - last);
      last = now;
      if (window.frames) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const end = Date.now() + SPAN;
  for (let turn = 0; Date.now() < end; turn += 1) await act(page, turn);
  const frames = await page.evaluate(() => {
    const counted = window.frames;
    window.frames = undefined;
    return counted;
  });
  frames.sort((a, b) => a - b);
  return frames[Math.floor(frames.length * 0.99)];
}

async function wheel(page) {
  await page.mouse.wheel(0, 700);
  await pause(30);
}

/** Takes the scroll bar to one place of the list after the other, far apart. */
async function jump(page, turn) {
  await page.evaluate(
    (part) => {
      const grid = document.querySelector('[role=grid]');
      let scroller = grid;
      while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
      if (scroller) scroller.scrollTop = part * (scroller.scrollHeight - scroller.clientHeight);
    },
    ((turn + 1) * 0.382) % 1,
  );
  await pause(250);
}
