import { beforeEach, expect, it, vi } from 'vitest';
import { t } from '../../texts';

const mocks = vi.hoisted(() => ({
  refreshLists: vi.fn(),
  notifyDesktop: vi.fn(),
  say: vi.fn(),
  recordAll: vi.fn(),
  flushDrafts: vi.fn(),
  stopped: [] as string[],
  may: { item: true, media: true },
  repository: { live: false },
  queue: { busy: false, rememberWaiting: vi.fn(), restore: vi.fn() } as Record<string, unknown>,
  batch: { running: false },
  drop: {} as { isAllowed: (target: object) => boolean; listen?: () => () => void },
  undo: {} as { onmoved: () => void },
}));
const listener = (name: string) => () => () => void mocks.stopped.push(name);

vi.mock('../../state/live_updates', () => ({
  refreshLists: mocks.refreshLists,
  followChanges: listener('changes'),
}));
vi.mock('../../state/open_batches.svelte', () => ({ openBatches: { listen: listener('batches') } }));
vi.mock('../../state/job_notifications', () => ({ notifyDesktop: mocks.notifyDesktop }));
vi.mock('../../state/permissions', () => ({
  mayCreateItemIn: () => mocks.may.item,
  mayCreateMedia: () => mocks.may.media,
}));
vi.mock('../../state/repository.svelte', () => ({ repository: mocks.repository }));
vi.mock('../../state/thumbnails.svelte', () => ({ thumbnails: { listen: listener('thumbnails') } }));
vi.mock('../../state/toast.svelte', () => ({ toaster: { say: mocks.say } }));
vi.mock('../../state/undo_history.svelte', () => ({ undoHistory: { recordAll: mocks.recordAll } }));
vi.mock('../batch_edit/batch_edit.svelte', () => ({ batchEdit: mocks.batch }));
vi.mock('../close_window/window_close.svelte', () => ({ windowClose: { listen: listener('close') } }));
vi.mock('../metadata_form/drafts', () => ({ flushDrafts: mocks.flushDrafts }));
vi.mock('../open_original/working_copies.svelte', () => ({ workingCopies: { listen: listener('copies') } }));
vi.mock('../transfers/file_drop.svelte', () => ({
  fileDrop: Object.assign(mocks.drop, { listen: listener('drop') }),
}));
vi.mock('../transfers/transfer_queue.svelte', () => ({ transferQueue: mocks.queue }));
vi.mock('../undo/change_label', () => ({ uploadsLabel: () => 'Two items' }));
vi.mock('../undo/undo.svelte', () => ({ undo: mocks.undo, undoAction: () => 'undo' }));

const { connectFeatures, isWorking, startListeners, storeUnfinishedWork } = await import('./startup');
const queue = mocks.queue as Record<string, (...args: unknown[]) => void>;

beforeEach(() => {
  vi.clearAllMocks();
  connectFeatures();
});

it('allows drops where the user may add something', () => {
  const allowed = () => [
    mocks.drop.isAllowed({ kind: 'item' }),
    mocks.drop.isAllowed({ kind: 'collection' }),
  ];
  expect(allowed()).toEqual([true, true]);
  mocks.may.item = false;
  expect(allowed()).toEqual([true, false]);
  mocks.may.media = false;
  expect(allowed()).toEqual([false, false]);
});

it('an upload refreshes lists only where no event stream does', () => {
  queue.onuploaded?.();
  expect(mocks.refreshLists).toHaveBeenCalledTimes(1);
  mocks.repository.live = true;
  queue.onuploaded?.();
  expect(mocks.refreshLists).toHaveBeenCalledTimes(1);
});

it('uploads that came together are one change to undo', () => {
  const steps = [{ id: 1 }, { id: 2 }];
  queue.onbatchdone?.(steps);
  expect(mocks.recordAll).toHaveBeenCalledWith(steps);
  expect(mocks.say).toHaveBeenCalledWith('Two items', 'undo');
});

it('the desktop hears when all uploads are over', () => {
  queue.onidle?.(3, 0);
  queue.onidle?.(3, 1);
  expect(mocks.notifyDesktop.mock.calls).toEqual([
    [{ text: t.transfers.ended(3), detail: undefined }],
    [{ text: t.transfers.ended(3), detail: t.transfers.endedNeed(1) }],
  ]);
});

it('an undo refreshes lists', () => {
  mocks.undo.onmoved();
  expect(mocks.refreshLists).toHaveBeenCalledTimes(1);
});

it('all listeners are stopped together', () => {
  const stop = startListeners({} as never);
  expect(mocks.queue.restore).toHaveBeenCalledTimes(1);
  expect(mocks.stopped).toEqual([]);
  stop();
  expect(mocks.stopped).toEqual(['changes', 'batches', 'drop', 'thumbnails', 'copies', 'close']);
});

it('work in progress is known, and stored before the page is closed', () => {
  expect(isWorking()).toBe(false);
  mocks.batch.running = true;
  expect(isWorking()).toBe(true);
  storeUnfinishedWork();
  expect(mocks.queue.rememberWaiting).toHaveBeenCalledTimes(1);
  expect(mocks.flushDrafts).toHaveBeenCalledTimes(1);
});
