import { QueryClient, QueryObserver } from '@tanstack/svelte-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Change } from '../api/types';

const stream = vi.hoisted(() => ({ send: (_: unknown): void => {} }));
const tree = vi.hoisted(() => ({ refresh: vi.fn() }));
vi.mock('../api/shared_events', () => ({
  listenForChanges: (_: AbortSignal, onChange: (change: unknown) => void) => (stream.send = onChange),
}));
vi.mock('../api/labels.svelte', () => ({ invalidateLabel: () => {} }));
vi.mock('./collection_tree.svelte', () => ({ collectionTree: tree }));
vi.mock('./repository.svelte', () => ({ repository: {} }));

const { followChanges, refreshAfterSave, refreshLists } = await import('./live_updates');

const fetches: Record<string, number> = {};
let stop: (() => void)[] = [];

function observe(client: QueryClient, queryKey: unknown[]): void {
  const name = queryKey.join('/');
  const queryFn = () => (fetches[name] = (fetches[name] ?? 0) + 1);
  stop.push(new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {}));
}

const change = (entity_id: number, vid: number): Change =>
  ({ kind: 'node', entity_id, vid, parents: [], origin: 'window' }) as unknown as Change;

beforeEach(async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  for (const key of [['items', 1], ['counts'], ['item', 5], ['item', 6], ['disk-space']])
    observe(client, key);
  stop.push(followChanges(client));
  await vi.advanceTimersByTimeAsync(10);
  for (const name of Object.keys(fetches)) fetches[name] = 0;
  tree.refresh.mockClear();
});

afterEach(() => {
  for (const end of stop) end();
  stop = [];
  vi.useRealTimers();
});

const ONCE = { 'items/1': 1, counts: 1, 'item/5': 1, 'item/6': 1, 'disk-space': 0 };

it('a save refreshes each list once when its event follows', async () => {
  refreshAfterSave('node', 5, 8);
  await vi.advanceTimersByTimeAsync(20);
  stream.send(change(5, 8));
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetches).toEqual(ONCE);
  expect(tree.refresh).toHaveBeenCalledTimes(1);
});

it('a save refreshes each list once when its event comes first', async () => {
  stream.send(change(5, 8));
  await vi.advanceTimersByTimeAsync(20);
  refreshAfterSave('node', 5, 8);
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetches).toEqual(ONCE);
  expect(tree.refresh).toHaveBeenCalledTimes(1);
});

it('a later version, saved by somebody else, refreshes again', async () => {
  refreshAfterSave('node', 5, 8);
  await vi.advanceTimersByTimeAsync(20);
  stream.send(change(5, 9));
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetches).toEqual({ ...ONCE, 'items/1': 2, counts: 2, 'item/5': 2 });
});

it('many events refresh together, and only the items that they name', async () => {
  for (const nid of [6, 7, 8]) stream.send(change(nid, 1));
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetches).toEqual({ ...ONCE, 'item/5': 0 });
  expect(tree.refresh).toHaveBeenCalledTimes(1);
});

it('a change made here is shown without an event', async () => {
  refreshLists();
  await vi.advanceTimersByTimeAsync(20);
  expect(fetches).toEqual(ONCE);
});
