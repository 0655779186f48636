import { expect, it } from 'vitest';
import type { Entity } from '../../api/types';
import type { Step } from '../../state/undo_stack';
import { collectionCreator } from './collection_creator';
import { folderKey } from './upload_plan';

function creator(existing: [string[], number][] = [], failures = 0) {
  const calls: [string, number | null][] = [];
  const steps: Step[] = [];
  const targets = new Map(
    existing.map(([folder, chosen]) => [
      folderKey(folder),
      { folder, existing: [], mayBePaged: false, chosen },
    ]),
  );
  const create = async (title: string, parent: number | null): Promise<Entity> => {
    calls.push([title, parent]);
    if (calls.length <= failures) throw new Error('refused');
    return { nid: [{ value: 100 + calls.length }], title: [{ value: title }] };
  };
  return { calls, steps, collectionOf: collectionCreator({ targets, parent: 7, create, steps }) };
}

it('creates the collection of a folder once, after that of the outer folder', async () => {
  const { calls, steps, collectionOf } = creator();
  const inner = await Promise.all([collectionOf(['maps', 'coast']), collectionOf(['maps', 'coast'])]);
  expect(inner).toEqual([102, 102]);
  expect(await collectionOf(['maps'])).toBe(101);
  expect(calls).toEqual([
    ['maps', 7],
    ['coast', 101],
  ]);
  expect(steps.map(({ id, title }) => [id, title])).toEqual([
    [101, 'maps'],
    [102, 'coast'],
  ]);
});

it('takes an existing collection, and the target of the drop for files outside of folders', async () => {
  const { calls, collectionOf } = creator([[['maps'], 12]]);
  expect(await collectionOf(['maps'])).toBe(12);
  expect(await collectionOf([])).toBe(7);
  expect(calls).toEqual([]);
});

it('tries again after a failure', async () => {
  const { calls, steps, collectionOf } = creator([], 1);
  await expect(collectionOf(['maps'])).rejects.toThrow('refused');
  expect(await collectionOf(['maps'])).toBe(102);
  expect(calls.length).toBe(2);
  expect(steps.length).toBe(1);
});
