import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LOOKS } from './looks.mjs';

export const ALL = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
export const KEPT = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Those that the guide and the README show, and are kept with them, in the first look. */
const KEPT_SCENES = ['first-run', 'desk', 'drop', 'batch', 'book', 'crop'];

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

/** Takes the picture of what a page shows. */
export async function keepPicture(page, name, look) {
  await settle(page);
  const png = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${ALL}${name}-${look.name}.png`, png);
  const kept = KEPT_SCENES.includes(name) && look === LOOKS[0];
  if (kept) await writeFile(`${KEPT}${name}.webp`, await asWebp(page, png));
}
