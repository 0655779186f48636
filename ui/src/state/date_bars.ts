/** Bars of a histogram of dates, and the dates that they choose. */
import type { Histogram } from '../api/types';

/** The years from `first` to `last` in EDTF. */
export function edtfOfYears(first: number, last: number): string {
  return first === last ? year(first) : `${year(first)}/${year(last)}`;
}

/** A year in EDTF: at least four digits, more than four behind a `Y`. */
function year(number: number): string {
  const digits = String(Math.abs(number)).padStart(4, '0');
  const sign = number < 0 ? '-' : '';
  return digits.length > 4 ? `Y${sign}${digits}` : sign + digits;
}

/** The first and last year of a bar, as people say them. */
export function barYears(bar: number, years: number): [number, number] {
  return [bar, bar + years - 1];
}

/** The years that a date names, if it names nothing but years. */
export function yearsOf(date: string): [number, number] | null {
  const match = /^(Y?-?\d{4,})(?:\/(Y?-?\d{4,}))?$/.exec(date);
  if (!match?.[1]) return null;
  const [first, last] = [match[1], match[2] ?? match[1]].map((text) => Number(text.replace('Y', '')));
  return first === undefined || last === undefined ? null : [first, last];
}

/** Whether a bar is chosen, wholly or in part. */
export function isBarChosen(bar: number, years: number, date: string): boolean {
  const chosen = yearsOf(date);
  const [first, last] = barYears(bar, years);
  return chosen !== null && first <= chosen[1] && last >= chosen[0];
}

/** The next bar that has items, in a direction; the present one where there is none. */
export function nextBar(bars: Histogram['bars'], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < bars.length; at += by) if ((bars[at]?.count ?? 0) > 0) return at;
  return from;
}
