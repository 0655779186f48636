/** Citations of an item in three styles, made of its record in schema.org (docs/HARVESTING.md). */

/** What is read of a record. A property has one value or several. */
export interface CitedRecord {
  '@type'?: string;
  name?: string;
  url?: string;
  creator?: OneOrMany<CitedAgent>;
  datePublished?: string;
  dateCreated?: string;
  copyrightYear?: string | number;
  publisher?: OneOrMany<CitedAgent>;
  provider?: OneOrMany<CitedAgent>;
}

interface CitedAgent {
  '@type'?: string;
  name?: string;
}

type OneOrMany<T> = T | T[];

export type CitationStyle = 'apa' | 'mla' | 'chicago';

/** The name of a person, which is cited by its family name, or of a body. */
interface AuthorName {
  family: string;
  given: string;
}

const many = <T>(value: OneOrMany<T> | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const named = (agents: OneOrMany<CitedAgent> | undefined): string =>
  many(agents).find(({ name }) => name)?.name ?? '';

/** Names of persons are written with the family name first. */
function authorsOf(record: CitedRecord): AuthorName[] {
  return many(record.creator).flatMap(({ '@type': type, name = '' }) => {
    if (name.trim() === '') return [];
    const [family = '', ...given] = name.split(',').map((part) => part.trim());
    // What follows the given name are dates, such as in authority files.
    const isPerson = type !== 'Organization' && given.length > 0;
    return isPerson ? { family, given: given[0] ?? '' } : { family: name.trim(), given: '' };
  });
}

/** The year, or years, of the first date that is known. */
function yearOf({ datePublished, dateCreated, copyrightYear }: CitedRecord): string {
  const date = String(datePublished ?? dateCreated ?? copyrightYear ?? '');
  return date.replace(/(\d{4})-[\dX][^/]*/g, '$1').replace('/', '–');
}

/** Ends a part of a citation, which may have its own stop. */
const stopped = (text: string): string => (/[.!?…]["”’]?$/.test(text) ? text : `${text}.`);

const initials = (given: string): string =>
  given
    .split(/\s+/)
    .filter(Boolean)
    .map((name) =>
      name
        .split('-')
        .map((part) => `${[...part][0] ?? ''}.`)
        .join('-'),
    )
    .join(' ');

const inverted = ({ family, given }: AuthorName): string => (given ? `${family}, ${given}` : family);
const straight = ({ family, given }: AuthorName): string => (given ? `${given} ${family}` : family);

/** APA 7, sections 9.8 and 10.14. */
function apa(record: CitedRecord): string {
  const names = authorsOf(record).map(({ family, given }) =>
    given ? `${family}, ${initials(given)}` : family,
  );
  const last = names.pop() ?? '';
  const most = names.length > 19 ? [...names.slice(0, 19), '…'] : names;
  const joint = names.length > 19 ? ' ' : names.length > 0 ? ', & ' : '';
  const authors = most.join(', ') + joint + last;
  const date = `(${yearOf(record) || 'n.d.'}).`;
  const title = stopped(record.name ?? '');
  const host = named(record.provider) || named(record.publisher);
  const parts = authors ? [stopped(authors), date, title] : [title, date];
  return [...parts, host && stopped(host), record.url].filter(Boolean).join(' ');
}

/** MLA 9, sections 5.1 to 5.105. */
function mla(record: CitedRecord, today: Date): string {
  const [first, ...others] = authorsOf(record);
  const more = others.length > 1 ? ', et al' : others[0] ? `, and ${straight(others[0])}` : '';
  const author = first ? stopped(inverted(first) + more) : '';
  const publisher = named(record.publisher);
  const host = named(record.provider);
  const place = [publisher, yearOf(record)].filter(Boolean).join(', ');
  const where = [host, record.url?.replace(/^https?:\/\//, '')].filter(Boolean).join(', ');
  const accessed = `Accessed ${today.getDate()} ${MLA_MONTHS[today.getMonth()]} ${today.getFullYear()}.`;
  const parts = [
    author,
    stopped(record.name ?? ''),
    place && stopped(place),
    where && stopped(where),
    accessed,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Months as MLA shortens them. */
const MLA_MONTHS = 'Jan.,Feb.,Mar.,Apr.,May,June,July,Aug.,Sept.,Oct.,Nov.,Dec.'.split(',');

/** The Chicago Manual of Style 17, notes and bibliography, sections 14.75 to 14.79. */
function chicago(record: CitedRecord): string {
  const all = authorsOf(record);
  const listed = all.length > 10 ? all.slice(0, 7) : all;
  const names = listed.map((name, at) => (at === 0 ? inverted(name) : straight(name)));
  const last = names.length > 1 && all.length <= 10 ? names.pop() : undefined;
  const authors = names.join(', ') + (last ? `, and ${last}` : all.length > 10 ? ', et al' : '');
  const publisher = named(record.publisher);
  const issued = [publisher, yearOf(record) || 'n.d.'].filter(Boolean).join(', ');
  const parts = [
    authors && stopped(authors),
    stopped(record.name ?? ''),
    stopped(issued),
    named(record.provider) && stopped(named(record.provider)),
    record.url && stopped(record.url),
  ];
  return parts.filter(Boolean).join(' ');
}

/** A citation as plain text. `today` is the day on which the item was looked at. */
export function citation(record: CitedRecord, style: CitationStyle, today: Date): string {
  return { apa, mla, chicago }[style](record, today);
}
