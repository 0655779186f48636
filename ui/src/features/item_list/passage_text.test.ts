import { describe, expect, it } from 'vitest';
import type { Passage } from '../../api/types';
import { passageParts } from './passage_text';

const passage = (parts: [string, boolean][], cut = [false, false]): Passage => ({
  field: 'text',
  page: 2,
  parts: parts.map(([text, marked]) => ({ text, marked })),
  begins_within: cut[0]!,
  ends_within: cut[1]!,
});

describe('passageParts', () => {
  const text = (one: Passage) =>
    passageParts(one).map((part) => (part.marked ? `[${part.text}]` : part.text));

  it('keeps a short passage on one line', () => {
    expect(
      text(
        passage([
          ['the  map\nof ', false],
          ['Venice', true],
        ]),
      ).join(''),
    ).toBe('the map of [Venice]');
  });

  it('begins shortly before the first mark', () => {
    const long = passage(
      [
        ['a long sentence about the old map of ', false],
        ['Venice', true],
      ],
      [false, true],
    );
    expect(text(long).join('')).toBe('…about the old map of [Venice]…');
  });

  it('says that there is more before', () => {
    expect(
      text(
        passage(
          [
            ['Venice', true],
            [' there', false],
          ],
          [true, false],
        ),
      ).join(''),
    ).toBe('…[Venice] there');
  });
});
