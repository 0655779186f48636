import { expect, it } from 'vitest';
import { comparable, isAmbiguous, namedOption, preferredIndex } from './combobox_match';

const options = (...labels: string[]) => labels.map((label, index) => ({ id: String(index), label }));
const create = { id: 'new', label: 'New term', act: true };

it('compares without case and accents, but keeps the marks of other scripts', () => {
  expect(comparable('  Île  de RÉ ')).toBe('ile de re');
  expect(comparable('कि')).not.toBe(comparable('का'));
});

it('a text names the option with the same label, the literal one first', () => {
  const found = options('Harbours', 'Café', 'Cafe');
  expect(namedOption(found, 'harbours')?.id).toBe('0');
  expect(namedOption(found, 'Cafe')?.id).toBe('2');
  expect(namedOption(found, 'Harbour')).toBeNull();
});

it('of two options with the same label only the chosen one is named', () => {
  const found = options('Lincoln', 'Lincoln');
  expect(isAmbiguous(found, 'lincoln')).toBe(true);
  expect(namedOption(found, 'lincoln')).toBeNull();
  expect(namedOption(found, 'lincoln', found[1])?.id).toBe('1');
});

it('an action is never active before the user moves to it', () => {
  expect(preferredIndex([...options('West Pier', 'Piers', 'Pier'), create], 'pier')).toBe(2);
  expect(preferredIndex([...options('West Pier', 'Piers'), create], 'pier')).toBe(1);
  expect(preferredIndex([...options('West Pier'), create], 'pier')).toBe(0);
  expect(preferredIndex([create], 'pier')).toBe(-1);
});
