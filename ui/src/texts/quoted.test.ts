import { expect, it } from 'vitest';
import { splitQuoted } from './quoted';

it.each([
  ['Moved “קרסים” to “Plates”', ['Moved “', 'קרסים', '” to “', 'Plates', '”']],
  ['„קרסים“ nach „Platten“ verschoben', ['„', 'קרסים', '“ nach „', 'Platten', '“ verschoben']],
  ['Copied', ['Copied']],
])('of %j every second part is a name', (sentence, parts) => expect(splitQuoted(sentence)).toEqual(parts));
