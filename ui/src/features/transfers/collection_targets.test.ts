import { expect, it } from 'vitest';
import type { Collection } from '../../api/types';
import { resolveTargets, sameName, type TargetChoice } from './collection_targets';

const collection = (nid: number, title: string): Collection => ({
  nid,
  title,
  status: true,
  items: 0,
  subcollections: 0,
  may: { update: true, delete: true, share: true, add_media: true, add_item: true },
});

/** Sheets (5) and two Boxes (6, 7) in the place 1; Letters (8) in Sheets. */
const inside: Record<string, Collection[]> = {
  '1': [collection(5, 'Sheets'), collection(6, 'Box'), collection(7, 'Box')],
  '5': [collection(8, 'Letters')],
};
const asked: string[] = [];
const find = (parent: number | null, name: string) => {
  asked.push(`${parent}/${name}`);
  return Promise.resolve((inside[String(parent)] ?? []).filter(({ title }) => title === name));
};
const folders = [['Sheets'], ['Sheets', 'Letters'], ['Box'], ['Maps'], ['Maps', 'Letters']];
const homes = async (choices: [string, TargetChoice][] = [], proposed: string[] = []) => {
  asked.length = 0;
  const paged = { possible: new Set(['Box', 'Maps\0Letters']), proposed: new Set(proposed) };
  const found = await resolveTargets(folders, 1, new Map(choices), find, paged);
  return folders.map((folder) => found.get(folder.join('\0'))?.chosen);
};

it('goes into the collection of that name, and into those within it', async () => {
  expect(await homes()).toEqual([5, 8, 6, null, null]);
});

it('makes new collections where somebody wants one, and of everything within it', async () => {
  expect(await homes([['Sheets', null]])).toEqual([null, null, 6, null, null]);
  expect(asked).not.toContain('5/Letters');
});

it('takes the one of several that was chosen, as long as it is there', async () => {
  expect(await homes([['Box', 7]])).toEqual([5, 8, 7, null, null]);
  expect(await homes([['Box', 99]])).toEqual([5, 8, 6, null, null]);
});

it('makes a paged item where that is chosen, or proposed and no collection has the name', async () => {
  expect(await homes([['Box', 'paged']], ['Maps\0Letters'])).toEqual([5, 8, 'paged', null, 'paged']);
  expect(await homes([['Sheets', 'paged']], ['Box'])).toEqual([5, 8, 6, null, null]);
  expect(await homes([['Maps\0Letters', null]], ['Maps\0Letters'])).toEqual([5, 8, 6, null, null]);
});

it('tells names apart as people do', () => {
  expect(sameName('Säle', 'sa\u0308le ')).toBe(true);
  expect(sameName('Page 9', 'Page 009')).toBe(false);
});
