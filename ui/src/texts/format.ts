import { language, localeFor, systemTags } from './language';

/** Numbers, dates and sizes as the reader's locale writes them. */
export const locale = localeFor(language, systemTags());

const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);

export function number(value: number): string {
  return numbers.format(value);
}

/** With one digit after the point where it says something: `0.4`, `4.2`, `38`. */
export function decimal(value: number): string {
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat(locale, { maximumFractionDigits }).format(value);
}

/** The plural category of a number: `one`, `other` … */
export function count(value: number): Intl.LDMLPluralRule {
  return plurals.select(value);
}

export function list(words: string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(locale, { type }).format(words);
}

export function monthLong(month: number): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2000, month - 1, 15),
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit that keeps a digit before the point: `8 MB`, `1.2 GB`. */
export function bytes(size: number): string {
  const step = size >= 1 ? Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3)) : 0;
  const value = size / 1000 ** step;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 0 && value < 10 ? 1 : 0,
  }).format(value);
}

/** A span of seconds, rounded to what is worth knowing: `8 seconds`, `2 minutes`, `3 hours`. */
export function roughDuration(seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(Math.max(1, Math.ceil(value as number)));
}

/** How long a recording is: `0:07`, `41:07`, `1:02:03`. */
export function mediaLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export function percent(share: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** A span of seconds in its largest unit, rounded towards zero. */
function inLargestUnit(seconds: number) {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const;
  const [size, unit] = units.find(([length]) => Math.abs(seconds) >= length) ?? [1, 'second'];
  return { value: Math.trunc(seconds / size), unit };
}

/** How old something is, in its largest whole unit: `5 minutes`, `3 hours`, `12 days`. */
export function ageText(seconds: number): string {
  const { value, unit } = inLargestUnit(seconds);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** How long ago a moment was, or how far it is ahead: `5 minutes ago`, `in 12 days`. */
export function timeFromNow(iso: string, now: Date = new Date()): string {
  const { value, unit } = inLargestUnit((Date.parse(iso) - now.getTime()) / 1000);
  return new Intl.RelativeTimeFormat(locale).format(value, unit);
}

export function time(date: Date): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(date);
}

/** To the second, for lists of what just happened. */
export function clockTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(iso));
}

export function day(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(iso));
}

/** How long something took. */
export function elapsed(milliseconds: number): string {
  const short = milliseconds < 1000;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: short ? 'millisecond' : 'second',
    unitDisplay: 'short',
    maximumFractionDigits: short ? 0 : 1,
  }).format(short ? milliseconds : milliseconds / 1000);
}

export function dateTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** Short for a column: the time today, `Yesterday`, the day this year, else the date. */
export function relativeTime(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const days = (startOfDay(now) - startOfDay(date)) / 86_400_000;
  if (days === 0) return time(date);
  if (Math.round(days) === 1) return yesterday();
  const sameYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: sameYear ? undefined : 'numeric',
  }).format(date);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function yesterday(): string {
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day');
  return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
}

/** From one date to another, as short as the locale writes it: years, months or days, as each has parts. */
export function dateRange(from: number[], to: number[]): string {
  const options: Intl.DateTimeFormatOptions = { year: 'numeric', timeZone: 'UTC' };
  if (from.length > 1) options.month = 'short';
  if (from.length > 2) options.day = 'numeric';
  const [first, last] = [from, to].map(([year = 0, month = 1, day = 1]) => {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return date;
  }) as [Date, Date];
  return new Intl.DateTimeFormat(locale, options).formatRange(first, last);
}
