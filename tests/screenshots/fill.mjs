import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser, signIn } from '../support/browser.mjs';
import { furnish, LOG } from '../support/sample_repository.mjs';
import { Rest } from '../support/rest.mjs';

/** The sample is drawn and sent by the page itself. Milliseconds. */
const PATIENCE = 120_000;

async function openSample(t, { baseUrl, password }) {
  const page = await openBrowser(t);
  page.setDefaultTimeout(PATIENCE);
  await signIn(page, baseUrl, password);
  await page.getByRole('button', { name: 'Open sample' }).click();
  await page.getByText('The sample is ready.').waitFor();
  await page.context().close();
}

/** A folder of scans that nobody watches yet. */
async function box({ data }) {
  const path = join(data, 'incoming', 'box');
  await mkdir(path, { recursive: true });
  for (const name of [
    'PV_1887_003.tif',
    'PV_1904_011.tif',
    'lettera pilota 1848.pdf',
    'setup.exe',
    '.hidden',
  ])
    await writeFile(join(path, name), name);
  return path;
}

/** An item with a history: made, described anew and shortened. */
async function told(rest) {
  const item = await rest.createItem('Caprera', {
    field_model: [{ target_id: await rest.term('islandora_models', 'Image') }],
    field_extent: [{ value: '1 map' }],
    field_rights: [{ value: 'Out of copyright' }],
  });
  const nid = item.nid[0].value;
  const fields = {
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: 'Caprera, with the rocks to the south' }],
    field_edtf_date_created: [{ value: '1569/1571~' }],
    field_extent: [{ value: '1 map, hand-coloured' }],
    field_rights: [],
  };
  const headers = { 'Content-Type': 'application/json' };
  await rest.send('PATCH', `/node/${nid}?_format=json`, { headers, body: JSON.stringify(fields) });
  return nid;
}

const listed = async (rest, address, key) => (await (await rest.send('GET', address)).json())[key];

/** What takes away again whatever came after all was filled, from the trash too. */
async function tidying(rest) {
  const newest = Math.max(...(await listed(rest, '/api/v1/items/ids', 'nids')));
  return async () => {
    for (const nid of await listed(rest, '/api/v1/items/ids', 'nids'))
      if (nid > newest) await rest.send('DELETE', `/api/v1/items/${nid}`);
    for (const { kind, id } of await listed(rest, '/api/v1/trash', 'entries'))
      if (kind === 'node' && id > newest) await rest.send('DELETE', `/api/v1/trash/${kind}/${id}`);
  };
}

/** The sample and something of everything, and the numbers of what the scenes are shown with. */
export async function fill(t, server) {
  const rest = new Rest(server.baseUrl, server.password);
  await openSample(t, server);
  const made = { ...(await furnish(server)), box: await box(server), told: await told(rest), log: LOG };
  return { ...made, means: { rest, tidy: await tidying(rest) } };
}
