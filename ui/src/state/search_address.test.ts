import { describe, expect, it } from 'vitest';
import { parseSearchAddress, searchAddress, UNNARROWED, type SearchAddress } from './search_address';

const everything: SearchAddress = { ...UNNARROWED, scope: null, below: null };
const parse = (query: string) => parseSearchAddress(new URLSearchParams(query));
const address = (search: Partial<SearchAddress>) => searchAddress({ ...everything, ...search }).toString();

describe('an address opens the same list again', () => {
  it.each<Partial<SearchAddress>>([
    {},
    { scope: { collection: 12 } },
    { scope: { view: 'unfiled' }, q: 'Zürich & "two words"' },
    { scope: { collection: 12 }, below: true },
    { scope: { collection: 12 }, below: false, q: 'map' },
    { scope: { collection: 12 }, q: 'map' },
    { q: 'map', isExact: true, sorting: { sort: 'relevance', order: 'desc' } },
    {
      choices: [
        { facet: 'subject', value: '7' },
        { facet: 'subject', value: '8' },
        { facet: 'agent.relators.pht', value: '9' },
        { facet: 'rights', value: 'see: https://example.org/?a=b&c, or ask' },
      ],
    },
    { date: '1400/1969', terms: [3, 4], has: ['field_extent'], lacks: ['field_rights', 'body'] },
    { sorting: { sort: 'date', order: 'desc' } },
    { sorting: { sort: 'field_genre', order: 'asc' } },
  ])('%j', (search) => expect(parse(address(search))).toEqual({ ...everything, ...search }));
});

it('is a query of the list of items', () => {
  expect(address({ scope: { collection: 12 }, q: 'map', choices: [{ facet: 'subject', value: '7' }] })).toBe(
    'collection=12&below=true&q=map&chosen=subject%3A7',
  );
  expect(address({ scope: { view: 'all' } })).toBe('');
});

it('reads earlier addresses', () => {
  expect(parse('collection=12&below=1')).toMatchObject({ scope: { collection: 12 }, below: true });
  expect(parse('collection=12&below=0')).toMatchObject({ below: false });
});

it('leaves out what makes no sense', () => {
  const words =
    'view=nope&collection=x&below=maybe&chosen=subject&chosen=:7&chosen=subject:&term=0,a,5&sort=DROP&order=desc';
  expect(parse(words)).toEqual({ ...everything, terms: [5] });
  expect(parse('chosen=a:1&chosen=a:1&has=x,,x').choices).toEqual([{ facet: 'a', value: '1' }]);
  expect(parse('sort=title&order=sideways').sorting).toEqual({ sort: 'title', order: 'asc' });
});
