import { expect, it } from 'vitest';
import { de } from './de';
import { en } from './en';
import { bestOf, localeFor } from './language';

/** The name of every text below, with what kind of thing it is: words, a list, or how many values they take. */
function shapes(texts: unknown, path = ''): string[] {
  if (typeof texts === 'function') return [`${path}()`];
  if (Array.isArray(texts)) return texts.flatMap((one, index) => shapes(one, `${path}[${index}]`));
  if (typeof texts !== 'object' || texts === null) return [`${path}: ${typeof texts}`];
  return Object.entries(texts).flatMap(([key, one]) => shapes(one, path === '' ? key : `${path}.${key}`));
}

it('every language says the same things', () => expect(shapes(de).sort()).toEqual(shapes(en).sort()));

it('no text is empty', () => {
  const empty = (texts: unknown): boolean =>
    typeof texts === 'object' && texts !== null ? Object.values(texts).some(empty) : texts === '';
  const { watched, ...others } = de;
  expect(empty(others)).toBe(false);
  expect(empty(watched.form.subfolderChoices)).toBe(false);
});

it.each([
  [['it-IT', 'de-AT', 'en'], 'de'],
  [['fr'], 'en'],
  [[], 'en'],
])('of %j it takes %s', (tags, language) => expect(bestOf(tags)).toBe(language));

it('numbers and dates are written as in the reader’s own country', () => {
  expect(localeFor('de', ['en-US', 'de-CH'])).toBe('de-CH');
  expect(localeFor('de', ['en-US'])).toBe('de-DE');
  expect(localeFor('en', [])).toBe('en-GB');
});
