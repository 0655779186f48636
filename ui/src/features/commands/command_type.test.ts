import { expect, it } from 'vitest';
import { isPressed } from './command_type';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each([
  [{ key: 'n', ctrlKey: true }, ['Ctrl', 'N'], true],
  [{ key: 'N', ctrlKey: true, shiftKey: true }, ['Ctrl', 'N'], false],
  [{ key: 'N', ctrlKey: true, shiftKey: true }, ['Ctrl', 'Shift', 'N'], true],
  [{ key: 'z', metaKey: true }, ['Ctrl', 'Z'], true],
  [{ key: '?', shiftKey: true }, ['?'], true],
  [{ key: '1', ctrlKey: true, shiftKey: true }, ['Ctrl', '1'], true],
  [{ key: 'ArrowLeft', altKey: true }, ['Alt', '←'], true],
  [{ key: 'F6', shiftKey: true }, ['F6'], false],
  [{ key: 'k', ctrlKey: true, altKey: true }, ['Ctrl', 'K'], false],
])('%j is %j: %s', (event, keys, is) =>
  expect(isPressed({ ...NONE, ...event } as KeyboardEvent, keys)).toBe(is),
);
