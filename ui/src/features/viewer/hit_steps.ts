/** Hits of a search in an item, and the steps from one to the next. */
import type { Item, ItemMarks } from '../../api/types';

/** A place of the words of a search: the `at`-th of its page. */
export interface Hit {
  page: number;
  at: number;
}

/** One hit for each page of a book in which words stand. */
export function pageHits(members: Pick<Item, 'nid'>[], found: number[]): Hit[] {
  const nids = new Set(found);
  return members.flatMap(({ nid }, index) => (nids.has(nid) ? [{ page: index + 1, at: 0 }] : []));
}

/** The hits in the text of a file. Where the viewer knows fewer pages than the text has, all are on the first. */
export function fileTextPages(pages: ItemMarks['pages'], pageCount: number): Hit[] {
  let before = 0;
  return pages.flatMap(({ page, count }) => {
    const first = pageCount > 1 ? 0 : before;
    before += count;
    return Array.from({ length: count }, (_, at) => ({ page: pageCount > 1 ? page : 1, at: first + at }));
  });
}

/** The number of the next hit: after the current one, or after the displayed pages. */
export function hitAfter(hits: Hit[], index: number | null, open: number[]): number {
  if (index !== null) return (index + 1) % hits.length;
  const after = hits.findIndex(({ page }) => page > Math.max(...open));
  return after < 0 ? 0 : after;
}

/** The number of the previous hit. */
export function hitBefore(hits: Hit[], index: number | null, open: number[]): number {
  if (index !== null) return (index + hits.length - 1) % hits.length;
  const before = hits.findLastIndex(({ page }) => page < Math.min(...open));
  return before < 0 ? hits.length - 1 : before;
}
