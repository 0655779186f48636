import { expect, it } from 'vitest';
import type { BundleDefinition } from '../../api/content_model';
import { moveBeside, moveBy, putField, removeField, renameGroup, restoreField } from './model_edit';

const field = (name: string, group?: string) => ({
  name,
  label: name,
  type: 'string',
  ...(group ? { group } : {}),
});
const bundle = (...fields: BundleDefinition['fields']): BundleDefinition => ({
  kind: 'node',
  id: 'letter',
  label: 'Letter',
  fields,
});
const order = ({ fields }: BundleDefinition) =>
  fields.map(({ name, group }) => (group ? `${name}@${group}` : name));

const letter = bundle(field('a'), field('b'), field('c', 'Sizes'), field('d', 'Sizes'));

it('moves a field beside another one, into its group', () => {
  expect(order(moveBeside(letter, 'a', 'd', false))).toEqual(['b', 'c@Sizes', 'a@Sizes', 'd@Sizes']);
  expect(order(moveBeside(letter, 'd', 'a', true))).toEqual(['a', 'd', 'b', 'c@Sizes']);
  expect(moveBeside(letter, 'a', 'a', true)).toBe(letter);
});

it('moves by one place, and over the edge of a group', () => {
  expect(order(moveBy(letter, 'a', 1))).toEqual(['b', 'a', 'c@Sizes', 'd@Sizes']);
  expect(order(moveBy(letter, 'b', 1))).toEqual(['a', 'b@Sizes', 'c@Sizes', 'd@Sizes']);
  expect(order(moveBy(letter, 'c', -1))).toEqual(['a', 'b', 'c', 'd@Sizes']);
  expect(order(moveBy(letter, 'd', 1))).toEqual(order(letter));
});

it('keeps a removed field that was saved, and brings it back', () => {
  const without = removeField(letter, 'b', true);
  expect(order(without)).toEqual(['a', 'c@Sizes', 'd@Sizes']);
  expect(without.removed_fields?.map(({ name }) => name)).toEqual(['b']);
  expect(order(restoreField(without, 'b'))).toEqual(['a', 'b', 'c@Sizes', 'd@Sizes']);
  expect(removeField(letter, 'b', false).removed_fields).toBeUndefined();
});

it('adds, changes and regroups fields', () => {
  expect(order(putField(letter, field('e')))).toEqual(['a', 'b', 'e', 'c@Sizes', 'd@Sizes']);
  expect(order(putField(letter, field('a', 'Sizes')))).toEqual(['b', 'a@Sizes', 'c@Sizes', 'd@Sizes']);
  expect(order(renameGroup(letter, 'Sizes', 'Extent'))).toEqual(['a', 'b', 'c@Extent', 'd@Extent']);
  expect(order(renameGroup(letter, 'Sizes', null))).toEqual(['a', 'b', 'c', 'd']);
});
