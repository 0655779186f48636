/** Facing pages of a book: the cover alone, then pairs. Counted from 1. */
export function spreadAt(page: number, count: number): number[] {
  if (page <= 1) return [1];
  const left = page - (page % 2);
  return left + 1 <= count ? [left, left + 1] : [left];
}

/** The page after turning pages; null at the ends. */
export function turnedPage(page: number, by: 1 | -1, count: number, two: boolean): number | null {
  const open = two ? spreadAt(page, count) : [page];
  const to = by > 0 ? (open.at(-1) ?? page) + 1 : (open[0] ?? page) - 1;
  return to >= 1 && to <= count ? to : null;
}
