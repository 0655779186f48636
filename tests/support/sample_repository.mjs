import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROGRAM } from './program.mjs';
import { run } from './process.mjs';
import { Rest } from './rest.mjs';
import { until } from './wait.mjs';

/** The password of everybody but the administrator. */
export const SECRET = 'shoals and rocks';

const sample = (name) => readFile(new URL(`../samples/${name}`, import.meta.url));

/** What the pilot wrote. */
export const LOG = [
  '3 May 1571. Wind from the south-west, fresh. At anchor in eleven fathoms, sand and shell.',
  '4 May. Sounded along the mole. Four fathoms at the head, two where the old wall fell.',
  '5 May. No sounding, for the swell. Mended the lead line and drew what was measured.',
].join('\n\n');
const SOUNDINGS = JSON.stringify({ place: 'Portovecchio', unit: 'fathom', points: [[43.04, 9.82, 11]] });
const AID = '<ead><archdesc level="fonds"><unittitle>Harbour office, 1848/1911</unittitle></archdesc></ead>';

/** An item for each way of being looked at: title, model, media type, MIME type, name and bytes of its file. */
const KINDS = {
  pdf: [
    'Report of the survey',
    'Digital Document',
    'document',
    'application/pdf',
    'report.pdf',
    sample('documents/two-pages.pdf'),
  ],
  film: ['Boats off the mole', 'Video', 'video', 'video/mp4', 'boats.mp4', sample('recordings/pictures.mp4')],
  sound: ['The harbour bell', 'Audio', 'audio', 'audio/x-wav', 'bell.wav', sample('recordings/tone.wav')],
  text: ['Log of the pilot', 'Digital Document', 'file', 'text/plain', 'log.txt', LOG],
  json: [
    'Soundings, as measured',
    'Digital Document',
    'file',
    'application/json',
    'soundings.txt',
    SOUNDINGS,
  ],
  xml: ['Finding aid of the harbour office', 'Digital Document', 'file', 'application/xml', 'aid.xml', AID],
  unknown: ['Plates, bundled', 'Digital Document', 'file', 'application/zip', 'plates.zip', 'PK\x05\x06'],
  torn: ['Torn chart', 'Image', 'file', 'image/tiff', 'torn.tif', half(sample('pictures/plain.tif'))],
  leaves: [
    'Four leaves in one file',
    'Image',
    'file',
    'image/tiff',
    'leaves.tif',
    sample('pictures/pages.tif'),
  ],
};

async function half(bytes) {
  const whole = await bytes;
  return whole.subarray(0, whole.length / 2);
}

async function withFile(rest, use, [title, model, mediaType, mime, name, bytes]) {
  const made = await rest.createItem(title, {
    field_model: [{ target_id: await rest.term('islandora_models', model) }],
  });
  const nid = made.nid[0].value;
  const media = await rest.upload(nid, mediaType, use, `public://${name}`, mime, await bytes);
  return { nid, mid: Number(new URL(media, rest.baseUrl).pathname.split('/').at(-1)) };
}

/** A person who may only read, and one who edits. */
async function people({ data }) {
  const add = (...person) =>
    run(PROGRAM, ['user', 'add', ...person, '--password-stdin', '--data', data], { input: `${SECRET}\n` });
  await add('rita');
  await add('mira', '--role', 'editor');
}

/** A folder of which one file was brought in, one cannot be, and one that is not followed now. */
async function folders({ data }, rest) {
  const make = async (name, files) => {
    const path = join(data, 'incoming', name);
    await mkdir(path, { recursive: true });
    for (const [file, content] of Object.entries(files)) await writeFile(join(path, file), content);
    return rest.create('/api/v1/watched-folders', { path, settle_seconds: 0.5 });
  };
  const scanner = await make('scanner', {
    'leaf 1.txt': 'one',
    'leaf 2.txt': 'two',
    'leaf 3.json': '{"field_subject": "Unheard of"}',
    'leaf 3.txt': 'three',
  });
  const ledger = await make('ledgers', {});
  await rest.send('POST', `/api/v1/watched-folders/${ledger.id}/pause`);
  await until('the scanner was heard', async () => {
    const { folders } = await (await rest.send('GET', '/api/v1/watched-folders')).json();
    const { counts } = folders.find(({ id }) => id === scanner.id);
    return counts.done === 2 && counts.failed === 1;
  });
  return scanner.id;
}

/** Two services, one of which has come. */
async function services(rest) {
  const { token } = await rest.create('/api/v1/tokens', { name: 'Workbench' });
  await fetch(new URL('/api/v1/session', rest.baseUrl), { headers: { Authorization: `Bearer ${token}` } });
  const expires = new Date(Date.now() + 10.5 * 86_400_000).toISOString();
  await rest.create('/api/v1/tokens', { name: 'Derivative service', user: 2, expires });
}

/** Puts something of everything into a repository, and answers the numbers of what the screens are shown with. */
export async function furnish(server) {
  const rest = new Rest(server.baseUrl, server.password);
  const use = await rest.term('islandora_media_use', 'Original File');
  const made = {};
  for (const [kind, file] of Object.entries(KINDS)) made[kind] = await withFile(rest, use, file);
  await people(server);
  await services(rest);
  const gone = await withFile(rest, use, [
    'A copy too many',
    'Image',
    'image',
    'image/png',
    'copy.png',
    sample('7x5.png'),
  ]);
  await rest.send('DELETE', `/node/${gone.nid}?_format=json`);
  const term = await rest.term('islandora_models', 'Image');
  return { ...made, term, folder: await folders(server, rest) };
}
