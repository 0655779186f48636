import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { addScan, openBrowser, pictureIn, signIn } from '../support/browser.mjs';
import { PROGRAM, logged, openProgram } from '../support/program.mjs';
import { dragFiles } from '../support/drag.mjs';
import { run } from '../support/process.mjs';
import { drawScan } from '../support/scan.mjs';
import { until } from '../support/wait.mjs';

const PASSWORD = 'a long enough password';

test('window, browser and curl all send a file to the one upload address', async (t) => {
  const desk = await openProgram(t);
  const window = await desk.open();
  const { base_url: baseUrl } = await window.script(() => window.__TAURI_INTERNALS__.invoke('connection'));
  await run(PROGRAM, ['user', 'password', 'admin', '--password-stdin'], {
    env: desk.env,
    input: `${PASSWORD}\n`,
  });

  const scan = join(desk.home, 'dropped.jpg');
  await writeFile(scan, Buffer.from(await window.script(drawScan, 'dropped'), 'base64'));
  await dropOn(desk, window, scan);
  await window.waitForPictureIn('gridcell', 'dropped');

  const page = await openBrowser(t);
  await signIn(page, baseUrl, PASSWORD);
  await addScan(page, 'chosen');
  await pictureIn(page, 'chosen');

  await sendByCurl(baseUrl, scan);

  const puts = await until('the log tells of all three', async () => {
    const lines = await logged(desk.data, 'PUT', '/media/image/');
    return lines.length === 3 && lines;
  });
  for (const line of puts) assert.match(line, /PUT \/node\/\d+\/media\/image\/\d+ 201 /);
  assert.deepEqual(
    puts.map((line) => / origin=(window|rest) /.exec(line)?.[1]),
    ['window', 'rest', 'rest'],
  );
});

async function dropOn(desk, window, scan) {
  await dragFiles(desk.display, [scan], await window.pointOf('heading', 'Drop files or folders here'));
  await window.click('button', 'Add 1 item');
}

/** A script of somebody on the network: makes an item, then sends its file. */
async function sendByCurl(baseUrl, file) {
  const common = ['--fail', '--silent', '--show-error', '--user', `admin:${PASSWORD}`];
  const model = JSON.parse(await run('curl', [...common, `${baseUrl}/api/v1/content-model`]));
  const node = {
    type: [{ target_id: 'islandora_object', target_type: 'node_type' }],
    title: [{ value: 'sent' }],
    field_model: [
      {
        target_id: model.models.find(({ name }) => name === 'Image').tid,
        target_type: 'taxonomy_term',
      },
    ],
  };
  const made = await run('curl', [...common, '--json', JSON.stringify(node), `${baseUrl}/node?_format=json`]);
  const nid = JSON.parse(made).nid[0].value;
  const use = model.media_uses.find(({ name }) => name === 'Original File').tid;
  const headers = ['--header', 'Content-Type: image/jpeg', '--header', 'Content-Location: public://sent.jpg'];
  await run('curl', [
    ...common,
    ...headers,
    '--upload-file',
    file,
    `${baseUrl}/node/${nid}/media/image/${use}`,
  ]);
}
