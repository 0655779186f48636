// Pictures of every screen in docs/screenshots, in every look; those of the guide in docs/images. ONLY=desk,viewer takes
// those scenes alone, LOOKS=1280-light,german those looks.
import { mkdir } from 'node:fs/promises';
import { SECRET } from '../support/sample_repository.mjs';
import { closeBrowser, openBrowser, signIn } from '../support/browser.mjs';
import { serve } from '../support/serve.mjs';
import { fill } from './fill.mjs';
import { LOOKS } from './looks.mjs';
import { ALL, KEPT, keepPicture } from './picture.mjs';
import { ARRIVAL, EMPTY } from './scenes/arrival.mjs';
import { DESK } from './scenes/desk.mjs';
import { onceMore, pagesOf } from './scenes/pages.mjs';
import { SENDING } from './scenes/sending.mjs';
import { READER, TROUBLE } from './scenes/trouble.mjs';
import { VIEWER } from './scenes/viewer.mjs';

const wanted = (variable, name) => !process.env[variable] || process.env[variable].split(',').includes(name);

/** Plays a scene, takes its picture and leaves the stage as it was. */
async function shoot([name, open], look, stage) {
  const leave = await open(stage);
  await keepPicture(stage.page, name, look);
  await leave?.();
}

/** A scene that cannot be played is told, and the others are taken all the same. */
async function takeAll(scenes, look, stage) {
  for (const scene of Object.entries(scenes).filter(([name]) => wanted('ONLY', name))) {
    try {
      await shoot(scene, look, stage);
      process.stdout.write(`${scene[0]} ${look.name}\n`);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${scene[0]} ${look.name}: ${error.message}\n`);
    }
  }
}

/** A person at a browser of that look, signed in. */
async function personAt(t, { baseUrl }, { options }, name, password) {
  const page = await openBrowser(t, { locale: 'en-GB', reducedMotion: 'reduce', ...options });
  await page.goto(`${baseUrl}/user/login`);
  // Whatever the language of the look is.
  await page.locator('[autocomplete=username]').fill(name);
  await page.locator('[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByTestId('session-menu').waitFor({ state: 'attached' });
  return page;
}

/** This machine plays the network. */
const ALONE = '[lan]\naddress = "127.0.0.1"\nannounce = false\n';

const ends = [];
const t = { after: (end) => ends.unshift(end) };
try {
  for (const path of [ALL, KEPT]) await mkdir(path, { recursive: true });
  const looks = LOOKS.filter(({ name }) => wanted('LOOKS', name));
  const whole = looks.filter(({ screens }) => screens === 'all');
  const server = await serve(t, ALONE, { derivatives: true });
  for (const look of whole) {
    const page = await openBrowser(t, { locale: 'en-GB', reducedMotion: 'reduce', ...look.options });
    await takeAll(ARRIVAL, look, { page, ...server });
    await signIn(page, server.baseUrl, server.password);
    await takeAll(EMPTY, look, { page, ...server });
    await page.context().close();
  }
  const made = await fill(t, server);
  for (const look of looks) {
    const page = await personAt(t, server, look, 'admin', server.password);
    const stage = { page, made, ...server, ...made.means };
    if (look.screens === 'all') {
      await takeAll({ ...DESK, ...VIEWER, ...SENDING, ...TROUBLE, ...pagesOf(made) }, look, stage);
      const reader = await personAt(t, server, look, 'rita', SECRET);
      await takeAll(READER, look, { ...stage, page: reader });
      await reader.context().close();
    } else {
      await takeAll(onceMore(made), look, stage);
    }
    await page.context().close();
  }
} finally {
  for (const end of ends) await end();
  await closeBrowser();
}
