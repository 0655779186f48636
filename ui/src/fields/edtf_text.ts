/** Describes EDTF dates (ISO 8601-2) in words: levels 0 and 1, qualifiers and sets of level 2. */
import { t } from '../texts';
import { dateRange } from '../texts/format';
import { readCustomaryDate } from './customary_date';

interface EdtfDate {
  year: string;
  month?: string;
  day?: string;
  approximate: boolean;
  uncertain: boolean;
}

const DATE = /^(-?(?:\d|X){4}|Y-?\d+)(?:-((?:\d|X){2})(?:-((?:\d|X){2}))?)?([~?%])?$/;

/** Describes a date; null where it is not supported. */
export function describeEdtf(value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  const set = /^([[{])(.*)([\]}])$/.exec(text);
  if (set) return describeSet(set[1] === '[', set[2] ?? '');
  const [from, to, ...rest] = text.split('/');
  if (rest.length > 0 || from === undefined) return null;
  return to === undefined ? describeDate(from) : describeInterval(from, to);
}

/** Describes what somebody types: a date, the EDTF that is stored for it, or what it may mean. */
export function describeTyped(value: string): string | null {
  const text = value.trim();
  const read = readCustomaryDate(text);
  if (read && 'readings' in read) {
    return t.edtf.ambiguous(
      text,
      read.readings.map((edtf) => t.edtf.reading(describeEdtf(edtf) ?? edtf, edtf)),
    );
  }
  if (!read || read.edtf === text) return describeEdtf(text);
  return t.edtf.stored(text, t.edtf.reading(read.edtf, describeEdtf(read.edtf) ?? read.edtf));
}

/** Like `describeEdtf`, but shorter for an interval of plain dates. */
export function describeEdtfShort(value: string): string | null {
  const words = describeEdtf(value);
  const ends = value.trim().split('/').map(plainDate);
  const [from, to] = ends;
  return words && from && to && from.length === to.length ? dateRange(from, to) : words;
}

/** Year, month and day of a plain date; null for others. */
function plainDate(text: string): number[] | null {
  const plain = /^\d{4}(-\d{2}){0,2}$/.test(text) && !/^0000|^\d{4}-2/.test(text);
  return plain ? text.split('-').map(Number) : null;
}

function describeInterval(from: string, to: string): string | null {
  const ends = [from, to];
  if (ends.every((end) => end === '' || end === '..')) return null;
  if (to === '..') return formatIfKnown(describeDate(from), t.edtf.since);
  if (to === '') return formatIfKnown(describeDate(from), t.edtf.fromUnknownEnd);
  if (from === '..') return formatIfKnown(describeDate(to), t.edtf.until);
  if (from === '') return formatIfKnown(describeDate(to), t.edtf.untilUnknownStart);
  const [first, second] = [describeDate(from), describeDate(to)];
  return first && second ? t.edtf.between(first, second) : null;
}

function describeSet(oneOf: boolean, inner: string): string | null {
  const words = inner.split(',').map((part) => describeSetMember(part.trim()));
  if (words.some((word) => word === null)) return null;
  return (oneOf ? t.edtf.oneOf : t.edtf.allOf)(words as string[]);
}

function describeSetMember(part: string): string | null {
  const [from = '', to] = part.split('..');
  if (to === undefined) return describeDate(part);
  return describeInterval(from === '' ? '..' : from, to === '' ? '..' : to);
}

function formatIfKnown(words: string | null, frame: (words: string) => string): string | null {
  return words === null ? null : frame(words);
}

function describeDate(text: string): string | null {
  const parts = parseDate(text);
  if (!parts) return null;
  const words = describePlainDate(parts);
  if (words === null) return null;
  if (parts.approximate && parts.uncertain) return t.edtf.perhapsAbout(words);
  if (parts.approximate) return t.edtf.about(words);
  return parts.uncertain ? t.edtf.perhaps(words) : words;
}

function parseDate(text: string): EdtfDate | null {
  const [day] = text.split('T');
  const match = DATE.exec(day ?? '');
  if (!match) return null;
  const [, year = '', month, date, mark] = match;
  return {
    year,
    month,
    day: date,
    approximate: mark === '~' || mark === '%',
    uncertain: mark === '?' || mark === '%',
  };
}

function describePlainDate({ year, month, day }: EdtfDate): string | null {
  const yearWords = describeYear(year);
  if (month === undefined || month === 'XX') return yearWords;
  const number = Number(month);
  if (number >= 21 && number <= 24) return day ? null : t.edtf.season(number, yearWords);
  if (!(number >= 1 && number <= 12)) return null;
  if (day === undefined || day === 'XX') return t.edtf.month(number, yearWords);
  return isDay(year, number, Number(day)) ? t.edtf.day(Number(day), number, yearWords) : null;
}

function isDay(year: string, month: number, day: number): boolean {
  // A year with unspecified digits may be a leap year.
  const fullYear = /^\d{4}$/.test(year) ? Number(year) : 2000;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(fullYear, month - 1, day);
  return day >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function describeYear(year: string): string {
  if (year.startsWith('Y')) return Number(year.slice(1)).toString();
  if (/^\d{3}X$/.test(year)) return t.edtf.decade(`${year.slice(0, 3)}0`);
  if (/^\d{2}XX$/.test(year)) return t.edtf.century(`${year.slice(0, 2)}00`);
  if (/^\dXXX$/.test(year)) return t.edtf.millennium(`${year.slice(0, 1)}000`);
  if (year === 'XXXX') return t.edtf.someYear;
  if (year.startsWith('-')) return t.edtf.beforeChrist(Number(year.slice(1)) + 1);
  return String(Number(year));
}
