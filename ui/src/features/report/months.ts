import type { HoldingsReport } from '../../api/types';
import { locale } from '../../texts/format';

type Month = HoldingsReport['months'][number];

/** `January 2027` for `2027-01`. */
export function monthName(month: string): string {
  const [year, number] = month.split('-').map(Number);
  if (!year || !number) return '';
  const first = new Date(Date.UTC(year, number - 1, 1));
  return new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' }).format(first);
}

/** The months with those between them in which nothing was added, at most the last ten years. */
export function withEmptyMonths(months: Month[]): Month[] {
  const last = months.at(-1);
  if (!last) return [];
  const known = new Map(months.map((one) => [one.month, one]));
  const first = months[0]?.month ?? last.month;
  const all: Month[] = [];
  for (let month = last.month; month >= first && all.length < 120; month = before(month))
    all.push(known.get(month) ?? { month, items: 0, files: 0, bytes: 0 });
  return all.reverse();
}

function before(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const [y, m] = number === 1 ? [year - 1, 12] : [year, number - 1];
  return `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}`;
}
