import { expect, it } from 'vitest';
import type { Revision } from '../../api/types';
import { groupEditSessions } from './edit_sessions';

/** A revision at so many minutes. */
const at = (vid: number, minutes: number, uid = 1, origin: Revision['origin'] = 'window'): Revision => ({
  vid,
  timestamp: new Date(Date.UTC(2026, 10, 22, 9, minutes)).toISOString(),
  user: { uid, name: `Person ${uid}` },
  current: false,
  origin,
});
const shapes = (revisions: Revision[]) =>
  groupEditSessions(revisions).map(({ revisions, since }) => [revisions.map(({ vid }) => vid), since]);

it('what one person saves within half an hour is one sitting', () =>
  expect(shapes([at(9, 70), at(7, 45), at(4, 20), at(2, 0)])).toEqual([[[9, 7, 4, 2], null]]));

it.each([
  ['a longer pause', [at(9, 60), at(7, 29)]],
  ['another person', [at(9, 2, 2), at(7, 1)]],
  ['another origin', [at(9, 2, 1, 'rest'), at(7, 1)]],
])('%s begins another one', (_, revisions) =>
  expect(shapes(revisions)).toEqual([
    [[9], 7],
    [[7], null],
  ]),
);

it('nothing was saved', () => expect(shapes([])).toEqual([]));
