/**
 * Reads dates as people write them in English and German, and says them in EDTF. Each form has characters that no EDTF
 * has, so a text that is EDTF already stays as it is.
 */

/** The EDTF of a text, or several where it can be read in several ways. Null where it is no customary date. */
export type CustomaryDate = { edtf: string } | { readings: string[] } | null;

/** A longer text is no date. */
const LONGEST = 80;

const MONTHS = [
  'january januar jänner jaenner',
  'february februar feber',
  'march märz maerz',
  'april',
  'may mai',
  'june juni',
  'july juli',
  'august',
  'september',
  'october oktober',
  'november',
  'december dezember',
].map((names) => names.split(' '));

const SEASONS = [
  ['spring', 'frühling', 'frühjahr'],
  ['summer', 'sommer'],
  ['autumn', 'fall', 'herbst'],
  ['winter'],
];

const ABOUT =
  /^(?:(?:um|circa|about|around|approximately|etwa|ungefähr) |(?:ca|c|approx)\.? ?(?=\d)|(?:ca|c|approx)\.? )/;
const PERHAPS = /^(?:perhaps|probably|possibly|vielleicht|vermutlich|wohl) /;
const BEFORE = /^(?:vor|bis|before|until|till) (?:dem )?(.+)$/;
const AFTER = /^(?:nach|seit|ab|after|since) (?:dem )?(.+)$/;
const FROM_TO = /^(?:von|vom|from) (.+?) (?:bis|to|until) (?:zum )?(.+)$/;
const BETWEEN = /^(?:zwischen|between) (.+?) (?:und|and) (.+)$/;
/** Without slashes: `2004-06/2006` is EDTF. */
const SPAN = /^([^-–—/]+?)(?: ?[-–—] ?| (?:bis|to) )([^-–—/]+)$/;
const YEARS_SHORT = /^(\d{2})(\d{2})–(\d{2})$/;

/** Reads a text. */
export function readCustomaryDate(value: string): CustomaryDate {
  if (value.length > LONGEST) return null;
  const words = value.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ');
  // "12. 6. 1955"
  const text = words.replace(/(\d\.) (?=\d)/g, '$1');
  return readInterval(text) ?? readPoint(text);
}

/** The EDTF that a text says; the trimmed text where it says none, or several. */
export function toEdtf(value: string): string {
  const read = readCustomaryDate(value);
  return read && 'edtf' in read ? read.edtf : value.trim();
}

function readInterval(text: string): CustomaryDate {
  const short = YEARS_SHORT.exec(text);
  if (short) return between(`${short[1]}${short[2]}`, `${short[1]}${short[3]}`);
  const both = FROM_TO.exec(text) ?? BETWEEN.exec(text);
  if (both) return between(both[1], both[2]);
  const span = SPAN.exec(text);
  if (span) return withMarkOfBoth(between(span[1], span[2]));
  const before = BEFORE.exec(text);
  if (before) return mapDate(readPoint(before[1] ?? ''), (edtf) => `../${edtf}`);
  const after = AFTER.exec(text);
  return after ? mapDate(readPoint(after[1] ?? ''), (edtf) => `${edtf}/..`) : null;
}

function between(from = '', to = ''): CustomaryDate {
  const [first, last] = [readPoint(from), readPoint(to)];
  if (!first || !last || !('edtf' in first && 'edtf' in last)) return null;
  return isOrdered(first.edtf, last.edtf) ? { edtf: `${first.edtf}/${last.edtf}` } : null;
}

/** "ca. 1914-1918" does not say whether its end is approximate, too. */
function withMarkOfBoth(read: CustomaryDate): CustomaryDate {
  if (!read || !('edtf' in read)) return read;
  const isHalf = /[~%]\//.test(read.edtf) && !/[~?%]$/.test(read.edtf);
  return isHalf ? { readings: [read.edtf, `${read.edtf}~`] } : read;
}

/** Whether an interval does not end before it begins. */
function isOrdered(from: string, to: string): boolean {
  const first = from.replace(/[~?%]$/, '').replaceAll('X', '0');
  const last = to.replace(/[~?%]$/, '').replaceAll('X', '9');
  const shared = Math.min(first.length, last.length);
  return first.slice(0, shared) <= last.slice(0, shared);
}

function mapDate(read: CustomaryDate, frame: (edtf: string) => string): CustomaryDate {
  if (!read) return null;
  return 'edtf' in read ? { edtf: frame(read.edtf) } : { readings: read.readings.map(frame) };
}

/** Reads one date, which may be approximate or uncertain. */
function readPoint(text: string): CustomaryDate {
  const plain = text.replace(/ ?(?:\?|\(\?\))$/, '');
  const rest = plain.replace(PERHAPS, '');
  const words = rest.replace(ABOUT, '');
  const isUncertain = rest !== text;
  const isApproximate = words !== rest;
  const mark = isApproximate ? (isUncertain ? '%' : '~') : isUncertain ? '?' : '';
  return mapDate(readPlain(words), (edtf) => `${edtf}${mark}`);
}

function readPlain(text: string): CustomaryDate {
  if (/^\d{4}$/.test(text)) return { edtf: text };
  return readNumbers(text) ?? readDecade(text) ?? readCentury(text) ?? readWords(text);
}

/** `12.6.1955`, `6.1955`, `6/1955`, `1955/6/12`, `1955.6.12`; `3/4/1955` has two readings. */
function readNumbers(text: string): CustomaryDate {
  const month = /^(\d{1,2})[./](\d{4})$/.exec(text);
  if (month) return monthOf(month[2], Number(month[1]));
  const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst) return dayOf(yearFirst[1], Number(yearFirst[3]), Number(yearFirst[4]));
  const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text);
  if (!yearLast) return null;
  const [one, other] = [Number(yearLast[1]), Number(yearLast[3])];
  const british = dayOf(yearLast[4], other, one);
  // With dots, the day always stands first.
  if (yearLast[2] === '.') return british;
  const american = dayOf(yearLast[4], one, other);
  if (!british || !american || one === other) return british ?? american;
  return { readings: [british.edtf, american.edtf] };
}

/** `1890er`, `1890er Jahre`, `1890s`. `1900s` may be a century. */
function readDecade(text: string): CustomaryDate {
  const decade = /^(?:the |die )?(\d{2})(\d)0(?:'?s|’s|er(?:[ -]jahren?)?)$/.exec(text);
  if (!decade) return null;
  const [, century = '', digit = ''] = decade;
  const edtf = `${century}${digit}X`;
  return digit === '0' ? { readings: [edtf, `${century}XX`] } : { edtf };
}

/** `19. Jahrhundert`, `19th century`. */
function readCentury(text: string): CustomaryDate {
  const century =
    /^(\d{1,2})(?:\. ?(?:jahrhundert|jhdt\.?|jhd\.?|jh\.?)|(?:st|nd|rd|th) (?:century|cent\.|c\.))$/.exec(
      text,
    );
  const number = Number(century?.[1] ?? 0);
  return number > 0 ? { edtf: `${String(number - 1).padStart(2, '0')}XX` } : null;
}

/** `Juni 1955`, `12. Juni 1955`, `12th of June 1955`, `June 12, 1955`, `Herbst 1910`. */
function readWords(text: string): CustomaryDate {
  const named = /^(\p{L}+)\.?,? (?:of )?(\d{4})$/u.exec(text);
  if (named) return seasonOf(named[2], named[1]) ?? monthOf(named[2], monthNamed(named[1]));
  const dayFirst = /^(\d{1,2})(?:\.|st|nd|rd|th)? ?(?:of )?(\p{L}+)\.?,? (\d{4})$/u.exec(text);
  if (dayFirst) return dayOf(dayFirst[3], monthNamed(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u.exec(text);
  return monthFirst ? dayOf(monthFirst[3], monthNamed(monthFirst[1]), Number(monthFirst[2])) : null;
}

/** The number of a month by its name or at least three letters of it; 0 for other words. */
function monthNamed(word = ''): number {
  return MONTHS.findIndex((names) => word.length > 2 && names.some((name) => name.startsWith(word))) + 1;
}

function seasonOf(year = '', word = ''): CustomaryDate {
  const season = SEASONS.findIndex((names) => names.includes(word));
  return season < 0 ? null : { edtf: `${year}-${21 + season}` };
}

function monthOf(year = '', month: number): { edtf: string } | null {
  return month >= 1 && month <= 12 ? { edtf: `${year}-${twoDigits(month)}` } : null;
}

/** Null for a day that there is not. */
function dayOf(year = '', month: number, day: number): { edtf: string } | null {
  const edtf = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const date = new Date(`${edtf}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(edtf) ? { edtf } : null;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
