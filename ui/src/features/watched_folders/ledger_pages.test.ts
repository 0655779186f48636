import { describe, expect, it } from 'vitest';
import type { WatchedFile } from '../../api/types';
import { LedgerPages } from './ledger_pages';

const SIZE = 100;

/** A ledger on a server: files by falling number, as the route answers them. */
function ledgerOf(ids: number[]) {
  const asked: (string | null)[] = [];
  const read = async (after: string | null) => {
    asked.push(after);
    const from = after === null ? 0 : ids.findIndex((id) => id < Number(after));
    const files = (from < 0 ? [] : ids.slice(from, from + SIZE)).map(
      (id) => ({ id, path: `${id}.tif` }) as WatchedFile,
    );
    return { files, next: files.length === SIZE ? String(files.at(-1)?.id) : null };
  };
  return { asked, read, pages: new LedgerPages(SIZE, read, () => {}) };
}

const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe('a ledger', () => {
  it('begins unknown, and is as long as what was read', async () => {
    const { pages } = ledgerOf(downFrom(30));
    expect([pages.loaded, pages.length]).toEqual([false, 0]);
    await pages.load(0, 20);
    expect([pages.loaded, pages.length, pages.at(0)?.id, pages.at(29)?.id, pages.at(30)]).toEqual([
      true,
      30,
      30,
      1,
      undefined,
    ]);
  });

  it('may be empty', async () => {
    const { pages } = ledgerOf([]);
    await pages.load(0, 20);
    expect([pages.loaded, pages.length]).toEqual([true, 0]);
  });

  it('of a hundred thousand files holds a few pages, and reads the others again', async () => {
    const { pages, asked } = ledgerOf(downFrom(99_950));
    for (let index = 0; index < 99_950; index += SIZE) {
      await pages.load(index, index + SIZE - 1);
      expect(pages.cachedFiles).toBeLessThanOrEqual(600);
    }
    expect(pages.at(99_949)?.id).toBe(1);
    expect(asked.length).toBeLessThan(1_010);
    expect(pages.at(0)).toBeUndefined();
    await pages.load(0, 20);
    expect([pages.at(0)?.id, asked.at(-1)]).toEqual([99_950, null]);
    expect(pages.length).toBe(99_950);
  });

  it('shows the newest when it is read again', async () => {
    const ids = downFrom(250);
    const { pages } = ledgerOf(ids);
    await pages.load(0, 150);
    ids.unshift(252, 251);
    await pages.refresh();
    expect([pages.at(0)?.id, pages.at(99)?.id]).toEqual([252, 153]);
    await pages.load(100, 299);
    await pages.load(200, 299);
    expect([pages.length, pages.at(251)?.id]).toEqual([252, 1]);
  });

  it('ends earlier when files have left it', async () => {
    const ids = downFrom(150);
    const { pages } = ledgerOf(ids);
    await pages.load(0, 149);
    await pages.load(100, 149);
    expect(pages.length).toBe(150);
    ids.splice(0, 120);
    await pages.refresh();
    expect([pages.length, pages.at(0)?.id, pages.at(100)]).toEqual([30, 30, undefined]);
  });

  it('says why it could not be read, and goes on when it can', async () => {
    const { read } = ledgerOf(downFrom(3));
    let broken = true;
    const pages = new LedgerPages(
      SIZE,
      (after) => (broken ? Promise.reject(new Error('gone')) : read(after)),
      () => {},
    );
    await pages.load(0, 10);
    expect([pages.failure?.message, pages.loaded]).toEqual(['gone', false]);
    broken = false;
    await pages.load(0, 10);
    expect([pages.failure, pages.length]).toEqual([null, 3]);
  });
});
