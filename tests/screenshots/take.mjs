// Pictures of every screen, light and dark and in two sizes, in docs/screenshots; those of the guide in docs/images.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser, signIn } from '../stage/browser.mjs';
import { serve } from '../stage/serve.mjs';
import { EMPTY, IN_GUIDE, SCENES } from './scenes.mjs';

const ALL = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const KEPT = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const LOOKS = SIZES.flatMap((viewport) =>
  ['light', 'dark'].map((colorScheme) => ({ viewport, colorScheme })),
);

/** Nothing moves while it is taken, and every picture in view has come. */
async function settle(page) {
  await page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => {});
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
}

/** The picture in a fifth of its bytes. */
async function asWebp(page, png) {
  const encoded = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  }, png.toString('base64'));
  return Buffer.from(encoded, 'base64');
}

async function take(page, name, { viewport, colorScheme }) {
  await settle(page);
  const png = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${ALL}${name}-${viewport.width}-${colorScheme}.png`, png);
  const kept = IN_GUIDE.includes(name) && viewport === SIZES[0] && colorScheme === 'light';
  if (kept) await writeFile(`${KEPT}${name}.webp`, await asWebp(page, png));
}

async function takeAll(scenes, look, stage) {
  for (const [name, open] of Object.entries(scenes)) {
    await open(stage);
    await take(stage.page, name, look);
    process.stdout.write(`${name} ${look.viewport.width} ${look.colorScheme}\n`);
  }
}

/** A person at a browser of a size and colours, signed in. */
async function personAt(t, { baseUrl, password }, look) {
  const page = await openBrowser(t, { ...look, locale: 'en-GB', reducedMotion: 'reduce' });
  await page.goto(`${baseUrl}/user/login`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await take(page, 'sign-in', look);
  await signIn(page, baseUrl, password);
  await page.getByTestId('session-menu').waitFor();
  return page;
}

const ends = [];
const t = { after: (end) => ends.unshift(end) };
try {
  await mkdir(ALL, { recursive: true });
  const server = await serve(t, undefined, { derivatives: true });
  const stages = [];
  for (const look of LOOKS) {
    const page = await personAt(t, server, look);
    await takeAll(EMPTY, look, { page, ...server });
    stages.push({ look, page });
  }
  const { page } = stages[0];
  await page.goto(`${server.baseUrl}/?view=all`);
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await page.getByText('The sample is there.').waitFor();
  for (const { look, page } of stages) await takeAll(SCENES, look, { page, ...server });
} finally {
  for (const end of ends) await end();
}
