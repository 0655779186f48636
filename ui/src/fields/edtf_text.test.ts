import { describe, expect, it } from 'vitest';
import { describeEdtf, describeEdtfShort, describeTyped } from './edtf_text';

describe('edtfInWords', () => {
  it.each([
    ['1571', '1571'],
    ['1571~', 'about 1571'],
    ['1571?', 'perhaps 1571'],
    ['1571%', 'perhaps about 1571'],
    ['1889-05', 'May 1889'],
    ['1962-03-11', '11 March 1962'],
    ['1962-03-11T10:20:30Z', '11 March 1962'],
    ['1569/1571~', 'between 1569 and about 1571'],
    ['1847-06/1847-09', 'between June 1847 and September 1847'],
    ['1850/..', '1850 or later'],
    ['../1850', '1850 or earlier'],
    ['1850/', 'from 1850, end unknown'],
    ['/1850', 'until 1850, start unknown'],
    ['157X', '1570s'],
    ['15XX', '16th century'],
    ['00XX', '1st century'],
    ['10XX', '11th century'],
    ['20XX', '21st century'],
    ['1XXX', '1000 to 1999'],
    ['XXXX', 'year unknown'],
    ['1887-XX', '1887'],
    ['1887-05-XX', 'May 1887'],
    ['1887-22', 'summer 1887'],
    ['-0043', '44 BC'],
    ['Y-17000', '-17000'],
    ['[1667,1668]', '1667 or 1668'],
    ['{1667,1668}', '1667 and 1668'],
    ['[..1760]', '1760 or earlier'],
    ['2000-02-29', '29 February 2000'],
  ])('reads %s as %s', (edtf, words) => {
    expect(describeEdtf(edtf)).toBe(words);
  });

  it.each(['', ' ', '1571-13', '1571-00', '1900-02-29', '1887-02-30', 'garbage', '../..', '1/2/3', '71'])(
    'reads nothing in %j',
    (text) => expect(describeEdtf(text)).toBeNull(),
  );
});

describe('edtfInShort', () => {
  it.each([
    ['1847-06/1847-09', /^Jun\s?–\s?Sept? 1847$/],
    ['1962-03-11/1962-04-22', /^11 Mar\s?–\s?22 Apr 1962$/],
    ['1569/1571', /^1569\s?–\s?1571$/],
    ['1569/1571~', /^between 1569 and about 1571$/],
    ['1887-22/1888-21', /^between summer 1887 and spring 1888$/],
    ['1571', /^1571$/],
  ])('reads %s as %s', (edtf, words) => {
    expect(describeEdtfShort(edtf)).toMatch(words);
  });

  it('reads nothing where there are no words', () => expect(describeEdtfShort('1847-13/1848-01')).toBeNull());
});

describe('describeTyped', () => {
  it.each([
    ['12.6.1955', '12.6.1955 → 1955-06-12 (12 June 1955)'],
    [' um 1930 ', 'um 1930 → 1930~ (about 1930)'],
    ['1955?', 'perhaps 1955'],
    ['1571~', 'about 1571'],
    ['3/4/1955', '3/4/1955 may be 3 April 1955 (1955-04-03) or 4 March 1955 (1955-03-04). Write which one.'],
    ['1900s', '1900s may be 1900s (190X) or 20th century (19XX). Write which one.'],
  ])('says of %j: %s', (typed, words) => expect(describeTyped(typed)).toBe(words));

  it('says nothing of other texts', () => expect(describeTyped('garbage')).toBeNull());
});
