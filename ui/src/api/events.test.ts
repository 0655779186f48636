import { expect, it } from 'vitest';
import { parseEvents } from './events';

function feed(...chunks: string[]) {
  const seen: [string, string][] = [];
  const rest = chunks.reduce(
    (buffer, chunk) => parseEvents(buffer + chunk, (event, data) => seen.push([event, data])),
    '',
  );
  return { seen, rest };
}

it('puts an event together from broken chunks', () => {
  const { seen, rest } = feed('event: cha', 'nge\nid: 4\ndata: {"id"', ':4}\n', '\nevent: x');
  expect(seen).toEqual([['change', '{"id":4}']]);
  expect(rest).toBe('event: x');
});

it('joins several data lines and ignores comments', () => {
  expect(feed(': still here\n\ndata: a\r\ndata: b\r\n\r\n').seen).toEqual([['message', 'a\nb']]);
});
