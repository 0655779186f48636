import { describe, expect, it } from 'vitest';
import type { Field, Term, WatchCounts } from '../../api/types';
import {
  parseAgent,
  folderName,
  templateLines,
  termName,
  folderStatus,
  toTemplate,
  findTerm,
  waitingCount,
} from './rule';

const counts = (some: Partial<WatchCounts>): WatchCounts => ({
  seen: 0,
  settled: 0,
  ingesting: 0,
  done: 0,
  skipped: 0,
  failed: 0,
  ...some,
});

it.each([
  ['/srv/scans/reading-room', 'reading-room'],
  ['/srv/scans/', 'scans'],
  ['D:\\Scans\\Glass', 'Glass'],
  ['/', '/'],
])('%s is called %s', (path, name) => expect(folderName(path)).toBe(name));

it('files wait until they are taken', () => {
  expect(waitingCount(counts({ seen: 3, settled: 2, ingesting: 1, done: 9, failed: 4 }))).toBe(6);
});

describe('what needs a person is said first', () => {
  it.each([
    [{ paused: false, problem: 'The folder is gone.', counts: counts({ failed: 1 }) }, 'problem'],
    [{ paused: true, problem: null, counts: counts({ failed: 1, seen: 3 }) }, 'paused'],
    [{ paused: false, problem: null, counts: counts({ failed: 1, seen: 3 }) }, 'failures'],
    [{ paused: false, problem: null, counts: counts({ seen: 3 }) }, 'working'],
    [{ paused: false, problem: null, counts: counts({ done: 3 }) }, 'watching'],
  ] as const)('%j: %s', (folder, word) => expect(folderStatus(folder)).toBe(word));
});

describe('the values of a template', () => {
  it('are lines, one for each value', () => {
    expect(templateLines({ field_subject: ['Maps', 'Venice'], title: 'Plate' })).toEqual([
      { field: 'field_subject', text: 'Maps' },
      { field: 'field_subject', text: 'Venice' },
      { field: 'title', text: 'Plate' },
    ]);
  });

  it('come back from the lines, without the empty ones', () => {
    const template = { field_subject: ['Maps', 'Venice'], title: 'Plate' };
    expect(toTemplate([...templateLines(template), { field: 'field_note', text: ' ' }])).toEqual(template);
  });
});

describe('a term is named so that no other one is meant', () => {
  const term = (tid: number, name: string, vocabulary: string): Term =>
    ({ tid, name, vocabulary, uses: 0, uuid: '' }) as Term;
  const field = (...target_bundles: string[]) => ({ target_bundles }) as Field;
  const venice = term(7, 'Venice', 'geo_location');

  it('by its name', () => expect(termName(venice, field('geo_location'), [venice])).toBe('Venice'));
  it('with its vocabulary where there are several', () =>
    expect(termName(venice, field('geo_location', 'subject'), [venice])).toBe('geo_location:Venice'));
  it('by its number where two have the name', () =>
    expect(termName(venice, field('geo_location'), [venice, term(8, 'venice', 'geo_location')])).toBe('7'));
});

it('a model is found by name, number or URI', () => {
  const image = { tid: 5, name: 'Image', uri: 'http://purl.org/coar/resource_type/c_c513' };
  for (const word of ['image', '5', image.uri]) expect(findTerm([image], word)).toBe(image);
  expect(findTerm([image], 'auto')).toBeUndefined();
});

it('an agent has contributed where no role is named', () => {
  expect(parseAgent('relators:pht:person:Smith, Ann')).toEqual({
    relator: 'relators:pht',
    agent: 'person:Smith, Ann',
  });
  expect(parseAgent('Smith, Ann')).toEqual({ relator: 'relators:ctb', agent: 'Smith, Ann' });
});
