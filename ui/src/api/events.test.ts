import { expect, it } from 'vitest';
import { parseEvents } from './events';

function feed(...chunks: string[]) {
  const seen: unknown[] = [];
  const rest = chunks.reduce(
    (buffer, chunk) => parseEvents(buffer + chunk, ({ event, data, id }) => seen.push([event, data, id])),
    '',
  );
  return { seen, rest };
}

it('puts an event together from broken chunks', () => {
  const { seen, rest } = feed('event: cha', 'nge\nid: 4\ndata: {"id"', ':4}\n', '\nevent: x');
  expect(seen).toEqual([['change', '{"id":4}', 4]]);
  expect(rest).toBe('event: x');
});

it('joins several data lines, and reads a place without data', () => {
  const { seen } = feed(': still here\n\nid: 7\n\ndata: a\r\ndata: b\r\n\r\n');
  expect(seen).toEqual([
    ['message', null, null],
    ['message', null, 7],
    ['message', 'a\nb', null],
  ]);
});
