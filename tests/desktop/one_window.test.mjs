import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PROGRAM, openProgram } from '../support/program.mjs';
import { mouse } from '../support/mouse.mjs';
import { run } from '../support/process.mjs';
import { until } from '../support/wait.mjs';

test('a second start brings the first window to the front and ends', async (t) => {
  const desk = await openProgram(t);
  await desk.open();
  const window = await desk.window();
  await mouse(desk.display, ['windowminimize', window]);
  await until('the window is away', async () => !(await desk.visible()));

  const said = await run(PROGRAM, [], {
    env: { ...desk.env, DISPLAY: desk.display },
  });

  assert.match(said, /in front/);
  await until('the window is back', () => desk.visible());
});

test('a page of this window may name no file that nobody dropped or chose', async (t) => {
  const desk = await openProgram(t);
  const page = await desk.open();
  for (const [command, body] of [
    ['describe_paths', { paths: ['/etc/passwd'] }],
    ['list_folder', { path: '/etc' }],
    ['upload_file', { ...ORDER, path: '/etc/passwd' }],
    ['post_file', { path: '/etc/passwd', url: 'http://127.0.0.1:1/x', mime: 'text/plain' }],
  ]) {
    assert.match(await refusal(page, command, body), /neither dropped nor chosen/);
  }
  assert.match(
    await refusal(page, 'save_as', { url: 'http://127.0.0.1:1/x', name: 'x' }),
    /not an address of this/,
  );
});

test('the place and size of the window are remembered', async (t) => {
  const desk = await openProgram(t);
  await desk.open();
  await mouse(desk.display, ['windowsize', '--sync', await desk.window(), 1100, 700]);
  await desk.closeByPerson();
  const state = JSON.parse(await readFile(desk.windowState, 'utf8'));
  assert.deepEqual([state.main.width, state.main.height], [1100, 700]);
});

const ORDER = {
  id: 'one',
  nid: 1,
  mediaType: 'image',
  useTid: 1,
  contentLocation: 'public://passwd.txt',
  mime: 'text/plain',
  ifMatch: null,
  onProgress: '__CHANNEL__:1',
};

function refusal(page, command, body) {
  return page.script(
    (name, order) =>
      window.__TAURI_INTERNALS__.invoke(name, order).then(
        () => 'allowed',
        (error) => String(error),
      ),
    command,
    body,
  );
}
