import { expect, it } from 'vitest';
import type { ActivityFilter } from '../../api/activity';
import type { Change } from '../../api/types';
import { matchesFilter } from './activity_list.svelte';

const change: Change = {
  id: 7,
  at: '2026-11-22T09:30:00+00:00',
  actor: { uid: 3, name: 'Ines' },
  origin: 'rest',
  action: 'update',
  kind: 'node',
  entity_id: 5,
  vid: 9,
  label: 'Chart',
  parents: [2],
};

it.each<[ActivityFilter, boolean]>([
  [{}, true],
  [{ actor: 3, origin: 'rest', action: 'update', kind: 'node' }, true],
  [{ actor: 4 }, false],
  [{ origin: 'watch' }, false],
  [{ action: 'delete' }, false],
  [{ kind: 'media' }, false],
  [{ collection: 5 }, true],
  [{ collection: 2 }, true],
  [{ collection: 3 }, false],
  [{ since: '2026-11-22T09:30:00Z', until: '2026-11-22T09:30:01Z' }, true],
  [{ until: '2026-11-22T09:30:00Z' }, false],
])('%j', (filter, expected) => expect(matchesFilter(filter, change)).toBe(expected));
