import { expect, it } from 'vitest';
import { freeName, isName, plainName } from './field_names';

it.each([
  ['Condition', 'field_condition'],
  ['Größe (cm)', 'field_groesse_cm'],
  ['Édition — 2', 'field_edition_2'],
  ['А', ''],
  ['', ''],
])('%s becomes %s', (label, name) => expect(freeName(label, [])).toBe(name));

it('counts on where a name is taken, and stays short', () => {
  expect(freeName('Condition', ['field_condition', 'field_condition_2'])).toBe('field_condition_3');
  const long = freeName('The condition of the binding at arrival', []);
  expect(long.length).toBeLessThanOrEqual(32);
  expect(freeName('The condition of the binding at arrival', [long])).not.toBe(long);
});

it('knows what a machine name is', () => {
  expect(['field_x', 'x2'].every(isName)).toBe(true);
  expect(['', '2x', 'Field', 'field-x', 'f'.repeat(33)].some(isName)).toBe(false);
  expect(plainName('Straße')).toBe('strasse');
});
