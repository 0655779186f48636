import { expect, it } from 'vitest';
import type { Counts, User } from '../../api/types';
import { browseRoute, parseRoute } from '../../state/route';
import { dialogOf, isFirstRun } from './browse_state';

const user = { uid: 1 } as User;
const counts = (all: number) => ({ all }) as Counts;
const everything = browseRoute({ view: 'all' });

it.each([
  ['an empty repository', counts(0), user, everything, true],
  ['counts that are not read yet', undefined, user, everything, false],
  ['a repository with items', counts(1), user, everything, false],
  ['a visitor', counts(0), null, everything, false],
  ['an item that the address names', counts(0), user, browseRoute({ view: 'all' }, 5), false],
  ['another view', counts(0), user, browseRoute({ view: 'recent' }), false],
])('the first steps are for an empty repository: %s', (_, all, who, route, expected) =>
  expect(isFirstRun(all, who, route)).toBe(expected),
);

it.each([
  ['/node', true, { kind: 'item', parent: null }],
  ['/node?node=5', true, { kind: 'item', parent: 5 }],
  ['/node?node=5', false, null],
  ['/node/5/delete', false, { kind: 'erase-items', nids: [5] }],
  ['/node/5', true, null],
  ['/media/7/delete', true, null],
])('%s opens its dialog', (address, mayCreate, expected) => {
  const { pathname, search } = new URL(address, 'http://localhost');
  expect(dialogOf(parseRoute(pathname, search), mayCreate)).toEqual(expected);
});
