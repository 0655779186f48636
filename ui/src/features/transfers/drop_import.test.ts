import { beforeEach, expect, it, vi } from 'vitest';
import { sampleModel } from '../../media_display/sample_model';
import type { DroppedFile } from './dropped_files';

const add = vi.hoisted(() => vi.fn());
const found = vi.hoisted(() => ({ collections: [] as { nid: number; title: string }[] }));
vi.mock('./transfer_queue.svelte', () => ({ transferQueue: { add, open: false } }));
vi.mock('../../state/permissions', () => ({ mayPublish: () => true }));
vi.mock('../../state/repository.svelte', async () => ({
  repository: { model: (await import('../../media_display/sample_model')).sampleModel },
}));
vi.mock('../../api/read', () => ({
  findCollectionsByTitle: async () => found.collections,
  readLastMember: async () => null,
}));
const kept = vi.hoisted(() => ({ templates: [] as object[] }));
vi.mock('../../api/templates', () => ({ listTemplates: async () => kept.templates }));
vi.mock('../../api/known_bytes', () => ({ findKnownSizes: async () => new Set() }));

const { countByModel } = await import('./upload_plan');
const { DropImport } = await import('./drop_import.svelte');

const file = (name: string, folder: string[] = []): DroppedFile => ({
  name,
  size: 10,
  mime: null,
  folder,
  source: { path: name },
});

beforeEach(() => {
  add.mockClear();
  found.collections = [];
});

async function started(files: DroppedFile[], change: (drop: InstanceType<typeof DropImport>) => void) {
  const drop = new DropImport(7);
  drop.setFiles(files);
  change(drop);
  expect(await drop.start()).toBe(true);
  return add.mock.calls[0]?.[0];
}

it('plans what becomes of files before anything is sent', () => {
  const drop = new DropImport(7);
  drop.setFiles([file('a.jpg'), file('b.tif', ['box']), file('.hidden', ['box'])]);
  expect([drop.fileCount, drop.folderCount]).toEqual([3, 1]);
  expect([drop.itemCount, drop.plan?.refusedFiles.length]).toEqual([2, 1]);
  expect(add).not.toHaveBeenCalled();
});

it('uploads with the titles and the model that were chosen', async () => {
  const uploads = await started([file('a.jpg'), file('b.jpg')], (drop) => {
    const [first] = drop.plan?.groups[0]?.items ?? [];
    if (first) drop.setTitle(first, ' Caprera ');
    drop.model = 6;
    drop.published = false;
  });
  expect(uploads.map(({ goal }: { goal: object }) => goal)).toMatchObject([
    { kind: 'item', title: 'Caprera', model: 6, status: false },
    { kind: 'item', title: 'b', model: 6, status: false },
  ]);
  expect(uploads[0].useTid).toBe(sampleModel.media_uses[0]?.tid);
  expect(await uploads[0].goal.collection()).toBe(7);
});

it('leaves out files that the repository has when the user says so', async () => {
  const [known, unknown] = [file('a.jpg', ['maps']), file('b.jpg')];
  const uploads = await started([known, unknown], (drop) => {
    drop.duplicates.holders.set(known, {} as never);
    drop.skipDuplicates = true;
    expect([drop.itemCount, drop.included?.folders]).toEqual([1, []]);
  });
  expect(uploads.map(({ file }: { file: DroppedFile }) => file.name)).toEqual(['b.jpg']);
});

it('makes a book of a folder of images, its pages in natural order, and titles by a rule', async () => {
  const names = ['p10.tif', 'p2.jpg', 'p1.jpg'];
  const uploads = await started(
    names.map((name) => file(name, ['Atlas'])),
    (drop) => {
      drop.titleRule = 'folder';
      drop.resolver?.resolved.then(() => expect(drop.newBookCount).toBe(1));
    },
  );
  const page = sampleModel.models.find(({ role }) => role === 'page')?.tid;
  expect(
    uploads.map(({ file, goal }: { file: DroppedFile; goal: { title: string; model: number } }) => [
      file.name,
      goal.title,
      goal.model,
    ]),
  ).toEqual([
    ['p1.jpg', 'Atlas 1', page],
    ['p2.jpg', 'Atlas 2', page],
    ['p10.tif', 'Atlas 3', page],
  ]);
});

it('makes books of the pages of files that were chosen for it', async () => {
  const [atlas, log, scan] = ['atlas.tif', 'log.pdf', 'scan.tif'].map((name) => file(name));
  const uploads = await started([atlas!, log!, scan!], (drop) => {
    const kinds = () => drop.included && countByModel(drop.included, drop.modelOf.bind(drop));
    drop.pageCounter.counts.set(atlas!, 6).set(log!, 300);
    expect([drop.multipageFiles, drop.countBooks(drop.multipageFiles)]).toEqual([[atlas, log], 0]);
    const size = drop.storedSize;
    drop.chooseBook(drop.multipageFiles, true);
    drop.chooseBook([log!], false);
    expect(kinds()?.find(([{ role }]) => role === 'paged')?.[1]).toBe(1);
    expect(drop.storedSize).toBe(size + atlas!.size);
  });
  const goals = uploads.map(({ goal }: { goal: { pages: number | null } }) => goal.pages);
  expect(goals).toEqual([6, null, null]);
});

it('offers no book where the file is not the original, or has too many pages', () => {
  const drop = new DropImport(7);
  const [atlas, log] = [file('atlas.tif'), file('log.pdf')];
  drop.setFiles([atlas, log]);
  drop.pageCounter.counts.set(atlas, 6).set(log, 5001);
  expect(drop.multipageFiles).toEqual([atlas]);
  drop.mediaUse = -1;
  expect(drop.multipageFiles).toEqual([]);
});

it('displays existing collections before files go into them', async () => {
  found.collections = [{ nid: 12, title: 'maps' }];
  const drop = new DropImport(7);
  drop.setFiles([file('a.jpg', ['maps'])]);
  expect(await drop.start()).toBe(false);
  expect(drop.targets.map(({ chosen }) => chosen)).toEqual([12]);
  expect(await drop.start()).toBe(true);
  expect(await add.mock.calls[0]?.[0][0].goal.collection()).toBe(12);
});

it('takes the visibility of the defaults of the collection, unless the user chooses another', async () => {
  kept.templates = [
    { name: 'Print', values: { status: [{ value: false }] } },
    { name: null, values: { status: [{ value: true }] } },
  ];
  const byDefault = await started([file('a.jpg')], (drop) => drop.readDefaults());
  expect(byDefault[0].goal).toMatchObject({ status: true });
  add.mockClear();
  const chosen = await started([file('a.jpg')], (drop) => {
    drop.readDefaults();
    drop.published = false;
  });
  expect(chosen[0].goal).toMatchObject({ status: false });
  kept.templates = [];
  add.mockClear();
  const without = await started([file('a.jpg')], (drop) => drop.readDefaults());
  expect(without[0].goal).toMatchObject({ status: false });
});
