import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerUnreachable } from '../../api/errors';
import { t } from '../../texts';
import type { EntryKind, PaletteEntry } from './palette_search';

const findEntries = vi.hoisted(() => vi.fn());
const run = vi.hoisted(() => vi.fn());
vi.mock('./palette_search', () => ({ findEntries }));
vi.mock('./palette_commands', () => ({
  paletteCommands: () => [
    { id: 'do/undo', kind: 'do', label: 'Undo', icon: 'back', run },
    { id: 'go/Trash', kind: 'go', label: 'Trash', icon: 'trash', run },
  ],
}));

const { CommandPalette } = await import('./palette_state.svelte');

const entry = (id: string, kind: EntryKind = 'items'): PaletteEntry => ({
  id,
  kind,
  label: id,
  icon: 'image',
  run,
});
const key = (key: string, shiftKey = false) => ({
  key,
  shiftKey,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
});
const idsOf = (palette: InstanceType<typeof CommandPalette>) => palette.entries.map(({ id }) => id);

beforeEach(() => {
  vi.useFakeTimers();
  findEntries.mockReset().mockResolvedValue([entry('Caprera'), entry('Maps', 'collections')]);
  run.mockReset();
});
afterEach(() => vi.useRealTimers());

it('asks the server once when the typing pauses', async () => {
  const palette = new CommandPalette(() => {});
  for (const text of ['c', 'ca', 'cap']) palette.type(text);
  expect(palette.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(findEntries.mock.calls.map(([text]) => text)).toEqual(['cap']);
  expect(palette.settled).toBe(true);
  expect(idsOf(palette)).toEqual(['Caprera', 'Maps']);
});

it('lists commands that match, and all of them before anything is typed', async () => {
  const palette = new CommandPalette(() => {});
  expect(idsOf(palette)).toEqual(['go/Trash', 'do/undo']);
  palette.type('und');
  expect(idsOf(palette)).toEqual(['do/undo']);
});

it('an answer that is no longer wanted changes nothing', async () => {
  let answer = (_: PaletteEntry[]) => {};
  findEntries.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const palette = new CommandPalette(() => {});
  palette.type('old');
  await vi.advanceTimersByTimeAsync(200);
  palette.type('new');
  await vi.advanceTimersByTimeAsync(200);
  answer([entry('stale')]);
  await vi.advanceTimersByTimeAsync(0);
  expect(idsOf(palette)).toEqual(['Caprera', 'Maps']);
});

it('Enter waits for the answer and runs the active entry', async () => {
  const onclose = vi.fn();
  const palette = new CommandPalette(onclose);
  palette.type('cap');
  expect(palette.handleKey(key('Enter'))).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([onclose.mock.calls.length, run.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(500);
  expect(findEntries).toHaveBeenCalledTimes(1);
});

it('the arrow keys go round, and Tab lists one kind', async () => {
  const palette = new CommandPalette(() => {});
  palette.handleKey(key('ArrowUp'));
  expect(palette.active).toBe(1);
  palette.handleKey(key('ArrowDown'));
  expect(palette.active).toBe(0);
  palette.handleKey(key('Tab'));
  expect([palette.kind, idsOf(palette)]).toEqual(['go', ['go/Trash']]);
  palette.handleKey(key('Tab', true));
  expect(palette.kind).toBeNull();
  expect(palette.handleKey(key('x'))).toBe(false);
});

it('says that the server is unreachable', async () => {
  findEntries.mockRejectedValueOnce(new ServerUnreachable());
  const palette = new CommandPalette(() => {});
  palette.type('cap');
  await vi.advanceTimersByTimeAsync(200);
  expect(palette.failure).toBe(t.failures.unreachable);
});
