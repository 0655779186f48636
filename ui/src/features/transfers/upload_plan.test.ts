import { expect, it } from 'vitest';
import { sampleModel } from '../../media_display/sample_model';
import type { DroppedFile } from './dropped_files';
import {
  countByModel,
  countRefusals,
  itemCount,
  planDrop,
  possibleBooks,
  proposedBooks,
  withoutFiles,
} from './upload_plan';

const dropped = (name: string, folder: string[] = [], size = 10): DroppedFile => ({
  name,
  size,
  mime: null,
  folder,
  source: { path: `/scans/${name}` },
});

it('makes an item of each file and a collection of each folder', () => {
  const plan = planDrop(
    [dropped('b.jpg', ['Box', 'Letters']), dropped('a.jpg'), dropped('c.pdf', ['Box'])],
    sampleModel,
  );
  expect(plan.groups.map((group) => [group.folder, group.items.map((item) => item.title)])).toEqual([
    [[], ['a']],
    [['Box'], ['c']],
    [['Box', 'Letters'], ['b']],
  ]);
  expect(plan.folders).toEqual([['Box'], ['Box', 'Letters']]);
  expect(plan.size).toBe(30);
});

it('counts what is left out by the reason, the most frequent first', () => {
  const names = ['.a', 'setup.exe', '.b', 'c.jpg'];
  const { refusedFiles } = planDrop(
    names.map((name) => dropped(name)),
    sampleModel,
  );
  expect(countRefusals(refusedFiles)).toEqual([
    ['hidden', 2],
    ['unsupported', 1],
  ]);
});

it('leaves out what nothing takes, and says why', () => {
  const plan = planDrop([dropped('setup.exe'), dropped('.DS_Store'), dropped('a.jpg', [], 0)], sampleModel);
  expect(plan.refusedFiles.map(({ reason }) => reason)).toEqual(['unsupported', 'hidden', 'empty']);
  expect(itemCount(plan)).toBe(0);
});

it('makes no collection of a folder whose files are all left out', () => {
  expect(planDrop([dropped('setup.exe', ['Programs'])], sampleModel).folders).toEqual([]);
});

it('counts by what files become, the most first', () => {
  const plan = planDrop(
    [dropped('a.pdf'), dropped('b.jpg'), dropped('c.tif'), dropped('d.zip')],
    sampleModel,
  );
  const counts = countByModel(plan, (_, { classification }) => classification.model);
  expect(counts.map(([{ role }, count]) => [role, count])).toEqual([
    ['image', 2],
    ['document', 1],
    ['binary', 1],
  ]);
});

it('makes a book of a folder without folders, and proposes it of images alone', () => {
  const plan = planDrop(
    [
      ...['1.jpg', '2.tif'].map((name) => dropped(name, ['Atlas'])),
      ...['1.jpg', '2.pdf'].map((name) => dropped(name, ['Box', 'Mixed'])),
      ...['1.jpg', '2.jpg'].map((name) => dropped(name, ['Box'])),
      dropped('1.jpg', ['Single']),
      dropped('a.jpg'),
    ],
    sampleModel,
  );
  expect([...possibleBooks(plan)].sort()).toEqual(['Atlas', 'Box\0Mixed', 'Single']);
  expect([...proposedBooks(plan)]).toEqual(['Atlas']);
});

it('puts page 2 before page 10', () => {
  const names = ['p10.jpg', 'p2 back.jpg', 'p2.tif'];
  const plan = planDrop(
    names.map((name) => dropped(name)),
    sampleModel,
  );
  expect(plan.groups[0]?.items.map(({ title }) => title)).toEqual(['p2', 'p2 back', 'p10']);
});

it('makes no collection of a folder whose files are here already', () => {
  const here = dropped('a.jpg', ['Box']);
  const plan = withoutFiles(planDrop([here, dropped('b.jpg')], sampleModel), (file) => file === here);
  expect([itemCount(plan), plan.folders]).toEqual([1, []]);
});
