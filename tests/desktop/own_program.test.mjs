import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { test } from 'node:test';
import { addItem } from '../support/add_item.mjs';
import { keepPicture, logged, openProgram } from '../support/program.mjs';
import { installPainter } from '../support/painter.mjs';
import { drawScan } from '../support/scan.mjs';
import { until } from '../support/wait.mjs';

test('an original opens in its own program, and what is saved there comes back as a new version', async (t) => {
  const desk = await openProgram(t);
  const painter = await installPainter(desk.home);
  let page = await desk.open();
  const draw = async (name) => Buffer.from(await page.script(drawScan, name), 'base64');
  const mid = await page.script(addItem, {
    name: 'Isola_nova.jpg',
    mime: 'image/jpeg',
    bytes: (await draw('Isola nova')).toString('base64'),
  });

  await openFiles(page, 'Isola nova');
  await choose(page, 'Open in another program');
  const copy = await painter.opened(1);
  assert.equal(basename(copy), 'Isola_nova.jpg');
  assert.equal((await stat(copy)).mode & 0o777, 0o600);

  const painted = await draw('painted over');
  await save(copy, painted);
  await page.control('button', 'Replace');
  await keepPicture(page, 'changed-copy');
  await desk.press('ctrl+Return');
  await logged(desk.data, 'PUT', '/media/image/', ' 204 ');
  assert.deepEqual(await bytesOf(page, mid), painted);

  // Somebody else is faster: words, and a choice.
  await until('the copy is known as taken', async () => !(await asked(page)));
  await page.script(describe, mid);
  await save(copy, await draw('painted again'));
  await page.click('button', 'Replace');
  await says(page, 'This file was changed in the repository while yours was open.');
  assert.deepEqual(await bytesOf(page, mid), painted);
  await page.click('button', 'Retry');
  await until('the other picture is there', async () => !(await bytesOf(page, mid)).equals(painted));
  await until('the copy is known as taken', async () => !(await asked(page)));

  await choose(page, 'Show in file manager');
  assert.match(await painter.opened(2), /files\/public$/);

  // What was not decided is asked again, by the next run too.
  await save(copy, await draw('the last touch'));
  await page.control('button', 'Replace');
  await desk.close();
  page = await desk.open();
  await page.click('button', 'Keep the original');
  await says(page, 'Kept the original of Isola_nova.jpg.');
  await desk.close();
  await desk.open();
  assert.equal(existsSync(copy), false);
});

test('what may run is not opened, whatever it is called', async (t) => {
  const desk = await openProgram(t);
  const painter = await installPainter(desk.home);
  const page = await desk.open();
  const script = Buffer.from('#!/bin/sh\ntouch ran\n').toString('base64');
  await page.script(addItem, { name: 'notes.txt', mime: 'text/plain', bytes: script, type: 'file' });

  await openFiles(page, 'notes');
  await choose(page, 'Open in another program');
  await says(page, 'notes.txt is a program or a script inside, and is not opened from here.');

  // The next thing that it is asked for is the first.
  await choose(page, 'Show in file manager');
  assert.match(await painter.opened(1), /files\/public$/);
});

async function openFiles(page, title) {
  // The first item of a repository turns the whole page into a list, under the pointer.
  await until(`"${title}" is selected`, async () => {
    await page.click('gridcell', title);
    return page.script(() => document.querySelector('[role="gridcell"][aria-selected="true"]') !== null);
  });
  await page.click('tab', 'Files 1');
}

async function choose(page, act) {
  await until(`"${act}" is chosen`, async () => {
    const more = await page.script(() =>
      document.querySelector('[data-testid="media"] [aria-haspopup]')?.getAttribute('aria-label'),
    );
    await page.click('button', more);
    return true;
  });
  await page.click('menuitem', act);
}

/** As most programs do: beside it, then renamed over it. */
async function save(path, bytes) {
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}

function says(page, words) {
  return until(`the page says "${words}"`, () =>
    page.script((text) => document.body.innerText.includes(text), words),
  );
}

function asked(page) {
  return page.script(() => document.querySelector('[data-testid="changed-copy"]') !== null);
}

async function bytesOf(page, mid) {
  return Buffer.from(await page.script(fetchBytes, mid), 'base64');
}

/** Runs in the page: somebody else describes the media. */
async function describe(mid) {
  const { base_url, key } = await window.__TAURI_INTERNALS__.invoke('connection');
  const answer = await fetch(`${base_url}/media/${mid}?_format=json`, {
    method: 'PATCH',
    headers: { Authorization: `Window ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ bundle: [{ target_id: 'image' }], name: [{ value: 'described meanwhile' }] }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Runs in the page: the bytes of a media's file, in base64. */
async function fetchBytes(mid) {
  const { base_url, key } = await window.__TAURI_INTERNALS__.invoke('connection');
  const headers = { Authorization: `Window ${key}` };
  const { media } = await (await fetch(`${base_url}/api/v1/media`, { headers })).json();
  const { file } = media.find((one) => one.mid === mid);
  const bytes = new Uint8Array(await (await fetch(file.download_url, { headers })).arrayBuffer());
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''));
}
