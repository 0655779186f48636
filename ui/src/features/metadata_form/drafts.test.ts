import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { flushDrafts, readDrafts, removeDraft, writeDraft } from './drafts';

const KEY = 'isolario.draft.node.1';
const stored = new Map<string, string>();
const setItem = vi.fn((key: string, value: string) => void stored.set(key, value));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem,
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => {
  flushDrafts();
  stored.clear();
  setItem.mockClear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const words = (value: string) => [{ value }];

it('stores a draft once when the typing pauses', () => {
  for (const text of ['M', 'Ma', 'Map']) {
    writeDraft('node.1', 'title', words(text));
    vi.advanceTimersByTime(200);
  }
  expect(setItem).not.toHaveBeenCalled();
  expect(readDrafts('node.1')).toEqual({ title: words('Map') });
  vi.advanceTimersByTime(300);
  expect(setItem).toHaveBeenCalledTimes(1);
  expect(JSON.parse(stored.get(KEY) ?? '')).toEqual({ title: words('Map') });
});

it('stores all drafts at once when the page is closed', () => {
  writeDraft('node.1', 'title', words('Map'));
  writeDraft('media.2', 'name', words('Scan'));
  flushDrafts();
  expect([...stored.keys()].sort()).toEqual(['isolario.draft.media.2', KEY]);
});

it('keeps what another page has stored meanwhile', () => {
  writeDraft('node.1', 'title', words('Map'));
  stored.set(KEY, JSON.stringify({ field_extent: words('1 map') }));
  flushDrafts();
  expect(readDrafts('node.1')).toEqual({ field_extent: words('1 map'), title: words('Map') });
});

it('removes a draft, be it stored or not', () => {
  writeDraft('node.1', 'title', words('Map'));
  flushDrafts();
  writeDraft('node.1', 'field_extent', words('1 map'));
  removeDraft('node.1', 'title');
  removeDraft('node.1', 'field_extent');
  vi.advanceTimersByTime(1000);
  expect(readDrafts('node.1')).toEqual({});
  expect(stored.has(KEY)).toBe(false);
});
